/** What belongs to the person, and not to a company. */
import { useWords } from '../../app/words.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { FactorSection } from './factors.tsx';
import { Grants } from './grants.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { meWords } from './words.ts';

export default function Me() {
  const words = useWords(meWords);
  return (
    <>
      <PageTitle text={words.about}>{words.title}</PageTitle>
      <Profile />
      <Password />
      <FactorSection />
      <Sessions />
      <Grants />
    </>
  );
}
