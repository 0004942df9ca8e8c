import { ContactList } from '../../parts/contact/contact-list.tsx';
import { suppliers } from './kind.tsx';

export default function SupplierList() {
  return <ContactList kind={suppliers} />;
}
