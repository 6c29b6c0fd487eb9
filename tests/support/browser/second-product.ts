import { startServer, startWorker } from '#scripts/lab/start-product.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { createTestEnvironment } from '../given/environment.ts'
import { BRISK } from './e2e-environment.ts'

export interface SecondProduct {
  url: string
  environment: LabEnvironment
  close: () => Promise<void>
}

/**
 * Starts a server, and a worker unless the test needs no mails, with other account settings, beside the run's
 * own.
 */
export async function startSecondProduct(
  variables: Record<string, string>,
  { worker = true } = {},
): Promise<SecondProduct> {
  const environment = await createTestEnvironment({ DEV_MAILBOX: '1', ...BRISK, ...variables })
  const [server, ...others] = await Promise.all([
    startServer(environment.env),
    ...(worker ? [startWorker(environment.env)] : []),
  ])
  return {
    url: server.url,
    environment,
    close: async () => {
      for (const program of [server, ...others]) await program.stop()
      await environment.close()
    },
  }
}
