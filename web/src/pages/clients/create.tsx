import { CreateContact } from '../../parts/contact/create-contact.tsx';
import { clients } from './kind.tsx';

export default function CreateClient() {
  return <CreateContact kind={clients} />;
}
