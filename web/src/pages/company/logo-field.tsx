/** A picture is read here and sent with the form. What the service would refuse is said at once. */
import { Button, FileButton, Group, Image, Input, Paper, Text } from '@mantine/core';
import { type ReactNode, useId, useRef } from 'react';
import { useWords } from '../../app/words.ts';
import { companyWords } from './words.ts';

const kinds = ['image/png', 'image/jpeg'];
const bytesMax = 512 * 1024;

type Props = {
  value: string;
  error: ReactNode;
  choose(data_url: string): void;
  refuse(reason: string): void;
};

export function LogoField({ value, error, choose, refuse }: Props) {
  const words = useWords(companyWords);
  const reset = useRef<() => void>(null);
  const id = useId();
  const read = async (file: File | null) => {
    reset.current?.();
    if (file === null) return;
    if (file.type === 'image/svg+xml') refuse(words.logo_svg);
    else if (!kinds.includes(file.type)) refuse(words.logo_kind);
    else if (file.size > bytesMax) refuse(words.logo_size);
    else choose(await dataUrl(file));
  };
  return (
    <Input.Wrapper
      label={words.logo}
      description={words.logo_hint}
      error={error}
      labelElement="div"
      errorProps={{ id: `${id}-error`, role: 'alert' }}
    >
      <Group mt="xs" align="center">
        {/* Paper is white, whatever the scheme: a logo is made for it. */}
        <Paper withBorder bg="white" p="xs" w={160} h={80}>
          {value === '' ? (
            <Text size="sm" c="gray.7" ta="center" lh="60px">
              {words.logo_none}
            </Text>
          ) : (
            <Image src={value} alt={words.logo_alt} h={60} fit="contain" />
          )}
        </Paper>
        <FileButton resetRef={reset} onChange={(file) => void read(file)} accept="image/*">
          {(props) => (
            <Button variant="default" data-path="logo" {...props}>
              {value === '' ? words.logo_choose : words.logo_other}
            </Button>
          )}
        </FileButton>
        {value !== '' && (
          <Button variant="subtle" color="red" onClick={() => choose('')}>
            {words.logo_remove}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The file was not read.'));
    reader.readAsDataURL(file);
  });
}
