import { useParams } from '@tanstack/react-router';
import { EditContact } from '../../parts/contact/edit-contact.tsx';
import { clients } from './kind.tsx';

export default function EditClient() {
  const { client } = useParams({ strict: false }) as { client: string };
  return <EditContact kind={clients} id={client} />;
}
