import { SimpleGrid, TextInput } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import { addressWords } from './address-words.ts';

type Props = {
  /** Of the form, whose field is `address`. */
  fields(path: string): object;
};

export function AddressFields({ fields }: Props) {
  const words = useWords(addressWords);
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={words.line1} maxLength={200} {...fields('address.line1')} />
        <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="xs">
          <TextInput label={words.number} maxLength={20} {...fields('address.number')} />
          <TextInput label={words.staircase} maxLength={20} {...fields('address.staircase')} />
          <TextInput label={words.floor} maxLength={20} {...fields('address.floor')} />
          <TextInput label={words.door} maxLength={20} {...fields('address.door')} />
        </SimpleGrid>
      </SimpleGrid>
      <TextInput
        label={words.line2}
        description={words.line2_hint}
        maxLength={200}
        {...fields('address.line2')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={words.postal_code} maxLength={20} {...fields('address.postal_code')} />
        <TextInput label={words.city} maxLength={100} {...fields('address.city')} />
        <TextInput label={words.province} maxLength={100} {...fields('address.province')} />
        <TextInput
          label={words.country}
          description={words.country_hint}
          maxLength={2}
          maw="14rem"
          {...fields('address.country')}
        />
      </SimpleGrid>
    </>
  );
}
