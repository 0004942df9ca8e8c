import { useParams } from '@tanstack/react-router';
import { EditContact } from '../../parts/contact/edit-contact.tsx';
import { suppliers } from './kind.tsx';

export default function EditSupplier() {
  const { supplier } = useParams({ strict: false }) as { supplier: string };
  return <EditContact kind={suppliers} id={supplier} />;
}
