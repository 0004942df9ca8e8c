/** Reads of the person's own things, and the requests whose path names one of them. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { request } from '../../app/api.ts';

export type Factors = {
  totp: boolean;
  recovery_codes_left: number;
  passkeys: { id: string; name: string; created_at: string; last_used_at: string | null }[];
};

export type OwnSession = {
  id: string;
  is_this: boolean;
  created_at: string;
  last_seen_at: string;
  ip: string;
  user_agent: string | null;
};

export type OwnGrant = {
  id: string;
  company_id: string;
  client: { name: string };
  environment: 'live' | 'test';
  last_used_at: string | null;
};

export function useOwn<T>(path: string) {
  return useQuery<T, Error>({
    queryKey: ['me', path],
    queryFn: async ({ signal }) => (await request<{ data: T }>(path, { signal })).data,
  });
}

export function useForgetOwn(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries({ queryKey: ['me'] }), [client]);
}
