/** Who the company is, what its documents say, and how it bills. */
import { useState } from 'react';
import { useCan } from '../../app/company.ts';
import { useCompanyDetails } from '../../app/company-details.ts';
import { useChange } from '../../app/changing.ts';
import { useSession } from '../../app/session.tsx';
import { useLanguage, useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { tell } from '../../parts/tell.ts';
import { BillingFields } from './billing-fields.tsx';
import { type Company, updateCompany } from './calls.ts';
import { CompanyFacts } from './company-facts.tsx';
import { CompanyNav } from './company-nav.tsx';
import { companyChange, companyPaths, companyValues } from './company-values.ts';
import { DocumentFields } from './document-fields.tsx';
import { IdentityFields } from './identity-fields.tsx';
import { companyWords } from './words.ts';

export default function CompanySettings() {
  const words = useWords(companyWords);
  const can = useCan();
  const read = useCompanyDetails();
  return (
    <>
      <PageTitle text={words.about}>{words.title}</PageTitle>
      <CompanyNav />
      <Ready read={read} rows={10}>
        {({ data }) =>
          can('update_company') ? <CompanyForm key={data.id} of={data} /> : <CompanyFacts of={data} />
        }
      </Ready>
    </>
  );
}

/** What is read again meanwhile changes nothing here, so nothing typed is lost. */
function CompanyForm({ of }: { of: Company }) {
  const words = useWords(companyWords);
  const language = useLanguage();
  const { renew } = useSession();
  const [before, setBefore] = useState(() => companyValues(of, language));
  const form = useApiForm({
    values: before,
    change: useChange(updateCompany),
    input: (values) => ({ body: companyChange(values, before, language) }),
    paths: companyPaths,
    stays: true,
    done: ({ data }) => {
      const saved = companyValues(data, language);
      setBefore(saved);
      form.keep(saved);
      tell(words.saved);
      // The menu of companies shows its name.
      void renew();
    },
  });
  return (
    <FormFrame of={form} action={words.save}>
      <IdentityFields of={form} />
      <DocumentFields of={form} />
      <BillingFields of={form} />
    </FormFrame>
  );
}
