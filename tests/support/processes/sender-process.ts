import { startProcess } from '#scripts/lab/start-process.ts'
import type { SendingJob, SendingReport } from './sender-child.ts'

/** Limit for the longest job; a test has a limit of its own. */
const JOB_LIMIT_MS = 120_000

/** A process that only sends, so that its memory is the transport's. */
export interface SenderProcess {
  send: (job: SendingJob) => Promise<SendingReport>
  close: () => Promise<unknown>
}

export async function startSenderProcess(): Promise<SenderProcess> {
  const sender = await startProcess({
    script: 'tests/support/processes/sender-child.ts',
    nodeOptions: ['--expose-gc'],
    isReady: 'sender ready',
    showsErrors: true,
  })
  return {
    send: async (job) => (await sender.ask(job, JOB_LIMIT_MS)) as SendingReport,
    close: sender.stop,
  }
}
