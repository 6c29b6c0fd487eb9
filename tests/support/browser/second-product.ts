import { startServer, startWorker } from '#scripts/lab/start-product.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { createTestEnvironment } from '../given/environment.ts'
import { BRISK } from './e2e-environment.ts'

export interface SecondProduct {
  url: string
  environment: LabEnvironment
  close: () => Promise<void>
}

/** A server and a worker beside the run's own, with another policy of accounts. */
export async function startSecondProduct(variables: Record<string, string>): Promise<SecondProduct> {
  const environment = await createTestEnvironment({ DEV_MAILBOX: '1', ...BRISK, ...variables })
  const programs = await Promise.all([startServer(environment.env), startWorker(environment.env)])
  return {
    url: programs[0].url,
    environment,
    close: async () => {
      for (const program of programs) await program.stop()
      await environment.close()
    },
  }
}
