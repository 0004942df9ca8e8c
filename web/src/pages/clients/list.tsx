import { ContactList } from '../../parts/contact/contact-list.tsx';
import { clients } from './kind.tsx';

export default function ClientList() {
  return <ContactList kind={clients} />;
}
