import { startProcess } from '#scripts/lab/start-process.ts'
import { startHostileTlsServer } from '#scripts/lab/tls/start-tls-server.ts'
import { createBreed } from './breed.ts'
import type { DialJob, DialReport } from './dial-process.ts'
import { createRandom } from './random.ts'

const IN_A_ROUND = 500
const ROUND_LIMIT_MS = 120_000

/** The outcome of all rounds; `ended` names the seeds of those in which the process ended. */
export interface MutantsReport extends DialReport {
  sent: number
  ended: number[]
}

/**
 * Shows randomly changed certificates to the code that dials endpoints, in a separate process, and gives as
 * many to the check when a form is saved. Each round has its own seed, so that it can be repeated alone.
 */
export async function sendMutants(
  { seed, count }: { seed: number; count: number },
  tell: (sent: number) => void = () => undefined,
): Promise<MutantsReport> {
  const dialler = await startProcess({
    script: 'scripts/mutants/dial-process.ts',
    isReady: 'dialler ready',
    showsErrors: true,
  })
  const report: MutantsReport = { sent: 0, ended: [], outcomes: {}, refused: 0 }
  try {
    for (let round = seed; report.sent < count; round += 1) {
      const breed = createBreed(createRandom(round))
      const times = Math.min(IN_A_ROUND, count - report.sent)
      const server = await startHostileTlsServer({
        show: breed.next,
        answer: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
      })
      const pems = Array.from({ length: times }, breed.nextPem)
      const job: DialJob = { port: server.port, times, authorities: breed.authorities, pems }
      try {
        const { outcomes, refused } = (await dialler.ask(job, ROUND_LIMIT_MS)) as DialReport
        for (const [name, number] of Object.entries(outcomes))
          report.outcomes[name] = (report.outcomes[name] ?? 0) + number
        report.refused += refused
      } catch {
        report.ended.push(round)
        await dialler.restart()
      }
      await server.close()
      report.sent += times
      tell(report.sent)
    }
  } finally {
    await dialler.stop()
  }
  return report
}
