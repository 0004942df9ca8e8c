import { useParams } from '@tanstack/react-router';
import { OneContact } from '../../parts/contact/one-contact.tsx';
import { clients } from './kind.tsx';

export default function OneClient() {
  const { client } = useParams({ strict: false }) as { client: string };
  return <OneContact kind={clients} id={client} />;
}
