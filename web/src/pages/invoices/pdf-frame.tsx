/** The paper in its frame. A browser shows nothing there, or a fault of its own, where the service refuses it. */
import { type SyntheticEvent, useState } from 'react';
import { addressOf, request } from '../../app/api.ts';
import { Failure } from '../../parts/states.tsx';

type Props = { path: string; name: string };

export function PdfFrame({ path, name }: Props) {
  const [error, setError] = useState<Error | null>(null);
  // Not every browser says what it shows: then the service is asked.
  const look = ({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) => {
    if (currentTarget.contentDocument?.contentType !== 'application/pdf') request(path).catch(setError);
  };
  if (error) return <Failure error={error} retry={() => setError(null)} />;
  return (
    <iframe
      src={addressOf(path)}
      title={name}
      onLoad={look}
      style={{ width: '100%', height: '48rem', border: 0 }}
    />
  );
}
