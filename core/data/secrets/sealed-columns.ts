/** A column that is read and written again, row by row. */
export interface SealedPlace {
  table: string
  column: string
  /** the primary key, and its type in PostgreSQL */
  key: { column: string; type: 'uuid' | 'text' | 'boolean' }
  /** `values`: a jsonb object, each value of which is sealed */
  form: 'text' | 'values'
}

const ID = { column: 'id', type: 'uuid' } as const

/**
 * Every column that holds sealed values. Sealing takes a name of this list, and rotation seals the columns of this list
 * again, so that it cannot miss one.
 */
export const SEALED_COLUMNS = {
  'client_webhook_configs.signing_secret': place('client_webhook_configs', 'signing_secret'),
  'client_webhook_configs.previous_signing_secret': place(
    'client_webhook_configs',
    'previous_signing_secret',
  ),
  'client_webhook_configs.authentication': place('client_webhook_configs', 'authentication'),
  'client_webhook_configs.custom_headers': {
    ...place('client_webhook_configs', 'custom_headers'),
    form: 'values',
  },
  'client_webhook_configs.client_key': place('client_webhook_configs', 'client_key'),
  'webhook_signing_keys.seed_sealed': place('webhook_signing_keys', 'seed_sealed'),
  'mails.sealed_data': place('mails', 'sealed_data'),
  'auth.factors.secret_sealed': place('auth.factors', 'secret_sealed'),
  'auth.flows.provider_verifier_sealed': place('auth.flows', 'provider_verifier_sealed'),
  'auth.flows.linking_person_sealed': place('auth.flows', 'linking_person_sealed'),
  'auth.flows.provider_tokens_sealed': place('auth.flows', 'provider_tokens_sealed'),
  'secrets_keys.kept': { ...place('secrets_keys', 'kept'), key: { column: 'id', type: 'text' } },
  'secrets_key_check.sealed': {
    ...place('secrets_key_check', 'sealed'),
    key: { column: 'only', type: 'boolean' },
  },
} as const satisfies Readonly<Record<string, SealedPlace>>

export type SealedColumn = keyof typeof SEALED_COLUMNS

function place(table: string, column: string) {
  return { table, column, key: ID, form: 'text' } as const
}
