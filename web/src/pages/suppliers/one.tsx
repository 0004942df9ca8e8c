import { useParams } from '@tanstack/react-router';
import { OneContact } from '../../parts/contact/one-contact.tsx';
import { suppliers } from './kind.tsx';

export default function OneSupplier() {
  const { supplier } = useParams({ strict: false }) as { supplier: string };
  return <OneContact kind={suppliers} id={supplier} />;
}
