import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { startServer, startWorker, type LabServer } from '#scripts/lab/start-product.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { askServer, type Told } from '../../support/ask-server.ts'

/** The first administrator of each environment here. */
export const EMAIL = 'admin@example.com'
export const SEEDED = { SEED_ADMIN_EMAIL: EMAIL, SEED_ADMIN_PASSWORD: PASSWORD }

/** Jobs that Redis lost are made again within 60 s (docs/operations/chaos.md, S3); twice that on a busy machine. */
const REBUILT_MS = 120_000

/** A server, a worker and an endpoint; every lead is the administrator's, and is delivered to it. */
export interface Flow {
  server: LabServer
  worker: LabProcess
  token: string
  owner: string
  call: (method: string, path: string, body?: unknown, bearer?: string) => Promise<Told>
  /** posts these leads, each again until it is stored, as sources do */
  post: (from: number, count: number) => Promise<void>
  /** waits until so many different deliveries have arrived */
  arrived: (count: number) => Promise<void>
  stop: () => Promise<void>
}

export async function startFlow(variables: Record<string, string>): Promise<Flow> {
  const receiver = await startReceiver(200)
  const [server, worker] = await Promise.all([startServer(variables), startWorker(variables)])
  const call = (method: string, path: string, body?: unknown, bearer?: string) =>
    askServer(server.url, { method, path, body, bearer })
  const session = await call('POST', '/auth/v1/token?grant_type=password', {
    email: EMAIL,
    password: PASSWORD,
  })
  const token = String(session.json['access_token'])
  const webhook = {
    webhook_name: 'CRM',
    endpoint_url: receiver.url,
    trigger_on_lead_created: true,
    trigger_on_lead_assigned: false,
  }
  await call('POST', '/api/v1/webhook-configs', webhook, token)
  const source = await call('POST', '/api/v1/admin/sources', { name: 'Page' }, token)
  const key = String(source.json['api_key'])
  const postOne = async (index: number): Promise<void> => {
    const email = `ana.${index}@example.com`
    const lead = { lead_type: 'auto', name: 'Ana Example', email, external_id: String(index) }
    const isStored = async () => {
      const told = await call('POST', '/api/v1/leads', lead, key).catch(() => ({ status: 0 }))
      return told.status === 200 || told.status === 201
    }
    await waitUntil(isStored, { what: `Lead ${index}`, timeoutMs: 30_000 })
  }
  return {
    server,
    worker,
    token,
    owner: (session.json['user'] as { id: string }).id,
    call,
    post: async (from, count) => {
      await Promise.all(Array.from({ length: count }, (_, index) => postOne(from + index)))
    },
    arrived: async (count) => {
      const ids = () => new Set(receiver.requests.map(idOf))
      const what = `${count} deliveries`
      await waitUntil(() => ids().size >= count, { what, timeoutMs: REBUILT_MS })
    },
    stop: async () => {
      await Promise.all([worker.stop(), server.stop()])
      await receiver.close()
    },
  }
}

const idOf = ({ headers }: Receiver['requests'][number]): string => String(headers['webhook-id'])
