/** Signing out is a form, as on the pages without script: the answer leads away from here. */
import { Button } from '@mantine/core';
import { useCommonWords } from '../common-words.ts';
import { Icon } from '../icons.tsx';
import { queryClient } from '../reading.ts';
import { publicPath } from '../server-words.ts';
import { useSession } from '../session.tsx';

const signOutForm = 'sign-out';

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

/** For an entry of a menu. The menu closes when the entry is pressed. A submit button in it would be gone before the form is sent. */
export function signOut(): void {
  const form = document.getElementById(signOutForm);
  if (form instanceof HTMLFormElement) form.requestSubmit();
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
