import type { RowTable } from '../rows/row-tables.ts'

/** The tables whose changes a client can follow (docs/product.md §7). */
export const REALTIME_TABLES = [
  'leads',
  'webhook_delivery_logs',
  'client_webhook_configs',
  'client_balances',
] as const satisfies readonly RowTable[]
export type RealtimeTable = (typeof REALTIME_TABLES)[number]
