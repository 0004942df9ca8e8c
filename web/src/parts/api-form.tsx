/**
 * A form whose faults are told by the service: each message goes to the field that its `param` names, and the first of
 * them is focused. Whoever leaves with something unsaved is asked.
 */
import { Button, Group, Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { isStale } from '../app/api.ts';
import type { OwnChange } from '../app/changing.ts';
import { useCommonWords } from '../app/common-words.ts';
import { ChangedMeanwhile } from './changed-meanwhile.tsx';
import { changedOnly } from './changed-only.ts';
import { type Issue, tellFields } from './field-issues.ts';
import { HeldFields } from './held-fields.tsx';
import { issuesOf } from './issues-of.ts';
import { LeaveQuestion } from './leave-question.tsx';
import { ServiceText } from './service-text.tsx';
import { Failure } from './states.tsx';

type Options<V, I, A> = {
  values: V;
  change: OwnChange<I, A>;
  /** What is sent for what was filled in. */
  input(values: V): I;
  /** Called with the answer, when it was accepted, and what was filled in as it was sent. */
  done(answer: A, sent: V): void;
  /** Where a field's path differs from the `param` of the service. */
  paths?: Readonly<Record<string, string>>;
  /** What is not sent at all, by field: the service would take it for something else. */
  faults?(values: V): Readonly<Record<string, string>>;
  /** The form stays on its page, and `keep` has what was typed while it was saved. The fields of others are held meanwhile. */
  stays?: boolean;
};

export type ApiForm<V> = {
  form: UseFormReturnType<V>;
  /** Spread into a field: `{...fields('name')}`. Its path is the service's `param`. */
  fields: UseFormReturnType<V>['getInputProps'];
  submit(event: FormEvent<HTMLFormElement>): void;
  /** Also while it leads on. */
  is_running: boolean;
  /** Its fields take no letter. */
  is_held: boolean;
  error: Error | null;
  /** What no field of the page tells. */
  untold: readonly Issue[];
  isUnsaved(): boolean;
  /** For a form that stays on its page after it was sent. The form's own `reset` goes back to what was sent last. */
  empty(): void;
  /** For one that goes on with what was saved. What was typed since it was sent stays, and is unsaved. */
  keep(saved: V): void;
};

export function useApiForm<V extends Record<string, unknown>, I, A>(options: Options<V, I, A>): ApiForm<V> {
  const { values, change, input, done, paths = {}, faults, stays = false } = options;
  const form = useForm<V>({ initialValues: values });
  const first = useRef(values);
  const sent = useRef(values);
  const is_done = useRef(false);
  const [leads_on, setLeadsOn] = useState(false);
  const [untold, setUntold] = useState<readonly Issue[]>([]);
  const { form: words } = useCommonWords();
  const { error } = change;
  const { setErrors } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    const { by_field, rest } = tellFields(issuesOf(error), paths, shownPaths());
    setErrors(mapped(by_field, (message) => <ServiceText>{message}</ServiceText>));
    setUntold(rest);
    focusFirst(by_field);
  }, [error]);
  const [, draw] = useState<V | null>(null);
  // A form that stays on its page is unsaved again with the next letter.
  const { values: held } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change
  useEffect(() => {
    is_done.current = false;
  }, [held]);
  const send = async (filled: V) => {
    sent.current = filled;
    const answer = await change.run(input(filled));
    if (answer === null) return;
    form.resetDirty();
    is_done.current = true;
    // Drawn again, so that nobody is asked about it any more.
    draw(filled);
    // The next page may be slow to come, and what is sent once more would be another one.
    setLeadsOn(!stays);
    done(answer, filled);
  };
  return {
    form,
    fields: form.getInputProps,
    submit: (event) => {
      const unread = unreadPaths(event.currentTarget).map((path) => [path, words.date_bad]);
      const errors = { ...faults?.(form.getValues()), ...Object.fromEntries(unread) };
      if (Object.keys(errors).length === 0) {
        form.onSubmit((filled) => void send(filled))(event);
        return;
      }
      event.preventDefault();
      setErrors(errors);
      focusFirst(errors);
    },
    is_running: change.is_running || leads_on,
    is_held: !stays && (change.is_running || leads_on),
    error,
    untold,
    isUnsaved: () => !is_done.current && form.isDirty(),
    empty: () => {
      setLeadsOn(false);
      form.setValues(first.current);
      form.resetDirty(first.current);
    },
    keep: (saved) => {
      form.setValues({ ...saved, ...changedOnly(form.getValues(), sent.current) });
      form.resetDirty(saved);
    },
  };
}

const mapped = <T,>(by_field: Readonly<Record<string, string>>, as: (message: string) => T) =>
  Object.fromEntries(Object.entries(by_field).map(([path, message]) => [path, as(message)]));

const fieldsOfPage = () => [...document.querySelectorAll<HTMLElement>('[data-path]')];
const shownPaths = () => new Set(fieldsOfPage().flatMap(({ dataset }) => dataset.path ?? []));

/** Dates of which a part was typed: for the browser, and so for the form, they are empty. */
function unreadPaths(form: HTMLFormElement): string[] {
  const fields = [...form.querySelectorAll<HTMLInputElement>('input[data-path]')];
  return fields.flatMap(({ validity, dataset }) => (validity.badInput ? (dataset.path ?? []) : []));
}

/** The first on the page, whatever the order in which the service names them. */
function focusFirst(found: Readonly<Record<string, string>>): void {
  const field = fieldsOfPage().find(({ dataset }) => dataset.path !== undefined && dataset.path in found);
  (field?.matches('input, textarea, select, button') ? field : field?.querySelector('input'))?.focus();
}

type Props<V> = {
  of: ApiForm<V>;
  children: ReactNode;
  action: string;
  cancel?: () => void;
  /** Where `if_match` is sent: reads again what is edited, in the place of what was typed. */
  again?: (() => void) | undefined;
  /** In a dialog, which has its own way out. */
  is_in_dialog?: boolean;
};

export function FormFrame<V>(props: Props<V>) {
  const { of, children, action, cancel, again, is_in_dialog = false } = props;
  const words = useCommonWords();
  return (
    <form onSubmit={of.submit} noValidate>
      <Stack>
        <HeldFields is_held={of.is_held}>{children}</HeldFields>
        {of.error &&
          (again && isStale(of.error) ? (
            <ChangedMeanwhile text={words.changed.form} again={again} />
          ) : (
            <Failure error={of.error} issues={of.untold} />
          ))}
        <Group justify={is_in_dialog ? 'flex-end' : 'flex-start'}>
          {cancel && (
            <Button variant="default" onClick={cancel}>
              {words.actions.cancel}
            </Button>
          )}
          <Button type="submit" loading={of.is_running}>
            {action}
          </Button>
        </Group>
      </Stack>
      {!is_in_dialog && (
        <LeaveQuestion
          isUnsaved={of.isUnsaved}
          title={of.is_running ? words.form.leave_saving_title : words.form.leave_title}
          text={of.is_running ? words.form.leave_saving_text : words.form.leave_text}
        />
      )}
    </form>
  );
}
