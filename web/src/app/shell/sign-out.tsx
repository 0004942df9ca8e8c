/** Signing out is a form, as on the pages without script: the answer leads away from here. */
import { Button } from '@mantine/core';
import { useCommonWords } from '../common-words.ts';
import { Icon } from '../icons.tsx';
import { queryClient } from '../reading.ts';
import { publicPath } from '../server-words.ts';
import { useSession } from '../session.tsx';

export const signOutForm = 'sign-out';

export function SignOutForm() {
  const { session } = useSession();
  return (
    <form
      id={signOutForm}
      method="post"
      action={`${publicPath}/sign-out`}
      onSubmit={() => queryClient.clear()}
    >
      <input type="hidden" name="csrf" value={session.csrf} />
    </form>
  );
}

export function SignOutButton() {
  const { account } = useCommonWords();
  return (
    <>
      <SignOutForm />
      <Button type="submit" form={signOutForm} variant="default" leftSection={<Icon name="exit" size={16} />}>
        {account.sign_out}
      </Button>
    </>
  );
}
