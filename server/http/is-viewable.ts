import type { Route } from './route.ts'

/**
 * The calls of a client's screens that an administrator may make as the client (docs/product.md §10): all read,
 * and none shows a secret, a session or a file.
 */
export const VIEWABLE: readonly string[] = [
  '/api/v1/me',
  '/api/v1/account',
  '/api/v1/account/members',
  '/api/v1/setup',
  '/api/v1/dashboard',
  '/api/v1/leads',
  '/api/v1/leads/:id',
  '/api/v1/leads/:id/neighbours',
  '/api/v1/feed/days/:day',
  '/api/v1/revocations',
  '/api/v1/returns',
  '/api/v1/orders',
  '/api/v1/orders/:id',
  '/api/v1/orders/checklist',
  '/api/v1/lead-types',
  '/api/v1/balance',
  '/api/v1/ledger',
  '/api/v1/statement',
  '/api/v1/payments',
  '/api/v1/analytics',
  '/api/v1/analytics/deliveries',
  '/api/v1/analytics/agents',
  '/api/v1/analytics/exceptions',
  '/api/v1/webhook-configs',
  '/api/v1/webhook-configs/:id',
  '/api/v1/webhook-configs/limit',
  '/api/v1/webhook-configs/health',
  '/api/v1/webhook-configs/certifications',
  '/api/v1/webhook-configs/:id/health',
  '/api/v1/webhook-configs/:id/delivery-logs',
  '/api/v1/webhook-configs/:id/delivery-counts',
  '/api/v1/webhook-configs/:id/replays',
  '/api/v1/webhook-presets',
  '/api/v1/delivery-logs/:id',
]
const PATHS = new Set(VIEWABLE)

/** Whether an administrator may make this call as a client. */
export function isViewable({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
  return method === 'get' && PATHS.has(path)
}
