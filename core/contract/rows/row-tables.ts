import type { MemberPermission } from '../accounts/member-role.ts'

/** PostgreSQL's name for the type of a column, as the data API and the change stream tell it. */
export type ColumnType = 'uuid' | 'text' | 'bool' | 'int4' | 'numeric' | 'timestamptz' | 'jsonb'

/**
 * THE TABLES that clients read as rows, with every column that they may see (docs/product.md §3). A column that is not
 * here does not exist for them: secrets, keys, certificates and authentication among others.
 */
export const ROW_TABLES = {
  client_webhook_configs: {
    id: 'uuid',
    webhook_name: 'text',
    endpoint_url: 'text',
    request_method: 'text',
    payload_type: 'text',
    is_active: 'bool',
    trigger_on_lead_created: 'bool',
    trigger_on_lead_assigned: 'bool',
    /** values that may be credentials are masked, as in /api/v1 */
    custom_headers: 'jsonb',
    payload_template: 'jsonb',
    missing_values: 'text',
    success_rule: 'jsonb',
    capture_path: 'text',
    conditions: 'jsonb',
    sending_hours: 'jsonb',
    requests_per_minute: 'int4',
    member_user_id: 'uuid',
    client_user_id: 'uuid',
    created_by: 'uuid',
    disabled_reason: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  webhook_delivery_logs: {
    id: 'uuid',
    webhook_config_id: 'uuid',
    client_user_id: 'uuid',
    lead_id: 'uuid',
    delivery_id: 'uuid',
    event_id: 'uuid',
    event_type: 'text',
    delivery_status: 'text',
    response_status: 'int4',
    attempt_number: 'int4',
    processing_time_ms: 'int4',
    error_message: 'text',
    error_class: 'text',
    outcome: 'text',
    receiver_id: 'text',
    created_at: 'timestamptz',
  },
  leads: {
    id: 'uuid',
    user_id: 'uuid',
    name: 'text',
    first_name: 'text',
    last_name: 'text',
    email: 'text',
    phone: 'text',
    state: 'text',
    city: 'text',
    lead_type: 'text',
    source: 'text',
    status: 'text',
    deal_size: 'numeric',
    assigned_to: 'uuid',
    member_user_id: 'uuid',
    is_test: 'bool',
    /** these two are the holder's own; null for a lead that the client does not hold */
    disposition: 'text',
    notes: 'text',
    assigned_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  client_balances: {
    client_user_id: 'uuid',
    /** dollars */
    balance: 'numeric',
    updated_at: 'timestamptz',
  },
} as const satisfies Record<string, Readonly<Record<string, ColumnType>>>

export type RowTable = keyof typeof ROW_TABLES
export type ColumnOf<Table extends RowTable> = keyof (typeof ROW_TABLES)[Table] & string

export const ROW_TABLE_NAMES = Object.keys(ROW_TABLES) as RowTable[]

/** The permission that a person's role needs to read a table; an agent sees own rows only. */
export const PERMISSION_OF_TABLE: Readonly<Record<RowTable, MemberPermission>> = {
  client_webhook_configs: 'webhooks',
  webhook_delivery_logs: 'webhooks',
  leads: 'leads',
  client_balances: 'money',
}

/** The columns of a table in their order, with their types. */
export function listColumns(table: RowTable): readonly { name: string; type: ColumnType }[] {
  return Object.entries(ROW_TABLES[table]).map(([name, type]) => ({ name, type }))
}

/** The type of a column; undefined if the table has no such column. */
export function columnType(table: RowTable, name: string): ColumnType | undefined {
  const columns: Readonly<Record<string, ColumnType>> = ROW_TABLES[table]
  return Object.hasOwn(columns, name) ? columns[name] : undefined
}
