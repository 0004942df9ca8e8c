import { CreateContact } from '../../parts/contact/create-contact.tsx';
import { suppliers } from './kind.tsx';

export default function CreateSupplier() {
  return <CreateContact kind={suppliers} />;
}
