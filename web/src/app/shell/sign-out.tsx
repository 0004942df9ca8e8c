/** Signing out is a form, as on the pages without script: the answer leads away from here. */
import { Button } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { useCommonWords } from '../common-words.ts';
import { Icon } from '../icons.tsx';
import { queryClient } from '../reading.ts';
import { publicPath } from '../server-words.ts';
import { useSession } from '../session.tsx';

const signOutForm = 'sign-out';

export function SignOutForm() {
  const { session, renew } = useSession();
  const field = useRef<HTMLInputElement>(null);
  // Another tab may have signed out meanwhile, or in anew.
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const now = await renew().catch(() => session);
    if (now === null) return location.assign(`${publicPath}/sign-in`);
    // For another person the page is loaded again.
    if (now.user.id !== session.user.id || !field.current) return;
    field.current.value = now.csrf;
    queryClient.clear();
    form.submit();
  };
  return (
    <form
      id={signOutForm}
      method="post"
      action={`${publicPath}/sign-out`}
      onSubmit={(event) => void send(event)}
    >
      <input ref={field} type="hidden" name="csrf" defaultValue={session.csrf} />
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
