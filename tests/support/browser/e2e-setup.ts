import path from 'node:path'
import { freePort } from '#scripts/services/free-port.ts'
import { buildWeb } from '#scripts/start/build-web.ts'
import { setUpDemo } from '#scripts/start/set-up-demo.ts'
import { findChromium } from '#scripts/test/find-chromium.ts'
import { PASSWORD } from '../given/password.ts'
import { BRISK, publishEnvironment } from './e2e-environment.ts'
import { startServer, startWorker } from '#scripts/lab/start-product.ts'
import { startProcess } from '#scripts/lab/start-process.ts'
import { createTestEnvironment } from '../given/environment.ts'
import { setup } from '../services/services.ts'

const ADMIN = { email: 'admin@example.com', password: PASSWORD }
const DEMO = { email: 'demo@example.com', password: PASSWORD }

/**
 * Playwright's globalSetup: one server, worker and sample CRM for the run, with the accounts of a first
 * start.
 */
export default async function prepare(): Promise<() => Promise<void>> {
  await buildWeb()
  process.env['CHROMIUM_PATH'] = await findChromium(process.env['CHROMIUM_PATH'])
  const closers = [await setup()]
  const close = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne()
  }
  try {
    await startProduct(closers)
  } catch (error) {
    await close()
    throw error
  }
  return close
}

async function startProduct(closers: (() => Promise<void>)[]): Promise<void> {
  const environment = await createTestEnvironment({
    WEBHOOK_RETRY_SCHEDULE: '1,1',
    DEV_MAILBOX: '1',
    ...BRISK,
    SEED_ADMIN_EMAIL: ADMIN.email,
    SEED_ADMIN_PASSWORD: ADMIN.password,
    SEED_CLIENT_EMAIL: DEMO.email,
    SEED_CLIENT_PASSWORD: DEMO.password,
  })
  closers.push(environment.close)
  const folder = environment.env['DATA_DIR'] ?? ''
  const crmSecretFile = path.join(folder, 'sample-crm.secret')
  const crmPort = String(await freePort())
  const crm = `http://127.0.0.1:${crmPort}`
  const programs = await Promise.all([
    startServer(environment.env),
    startWorker(environment.env),
    startProcess({
      script: 'scripts/sample-crm.ts',
      env: { HOST: '127.0.0.1', SAMPLE_CRM_PORT: crmPort, SAMPLE_CRM_SECRET_FILE: crmSecretFile },
      isReady: 'Sample CRM at http',
    }),
  ])
  for (const program of programs) closers.push(async () => void (await program.stop()))
  const [{ url: server }] = programs
  const crmEndpoint = `${crm}/webhooks/leads`
  await setUpDemo({ server, folder, crmEndpoint, crmSecretFile, client: DEMO, admin: ADMIN })
  publishEnvironment({ server, crm, databaseUrl: environment.databaseUrl, admin: ADMIN, demo: DEMO })
}
