/** A further company of the person. */
import { useGo } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { NewCompany } from '../../parts/new-company.tsx';
import { companyWords } from './words.ts';

export default function CreateCompany() {
  const words = useWords(companyWords);
  const go = useGo();
  const plan = '/company/plan';
  return <NewCompany above={<BackLink to={plan}>{words.plan}</BackLink>} cancel={() => go(plan)} />;
}
