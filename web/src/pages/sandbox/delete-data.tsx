/** The service deletes a bounded part in each call, so it is asked until nothing is left. */
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useCurrentCompany } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { useWords } from '../../app/words.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Section } from '../../parts/facts.tsx';
import { tell } from '../../parts/tell.ts';
import { deleteSandboxData } from './calls.ts';
import { sandboxWords } from './words.ts';

export function DeleteData() {
  const words = useWords(sandboxWords);
  const { name } = useCurrentCompany();
  const [is_open, question] = useDisclosure(false);
  const [is_deleting, setDeleting] = useState(false);
  const { run, is_running, error, clear } = useChange(deleteSandboxData);
  const empty = async () => {
    setDeleting(true);
    let answer = await run({});
    while (answer !== null && !answer.data.deleted) answer = await run({});
    setDeleting(false);
    if (answer === null) return;
    question.close();
    tell(words.deleted);
  };
  return (
    <Section title={words.deletion}>
      <Text mb="md">{words.deletion_text}</Text>
      <Button
        variant="light"
        color="red"
        leftSection={<Icon name="trash" size={16} />}
        onClick={() => {
          clear();
          question.open();
        }}
      >
        {words.delete}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.delete_title}
        text={words.delete_text}
        action={words.delete}
        confirm={() => void empty()}
        is_running={is_running || is_deleting}
        error={error}
        type_name={name}
      />
    </Section>
  );
}
