import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SendingJob, SendingReport } from './sender-child.ts'

/** A process that does nothing but send, so that its memory is the transport's alone. */
export interface SenderProcess {
  send: (job: SendingJob) => Promise<SendingReport>
  close: () => Promise<void>
}

export async function startSenderProcess(): Promise<SenderProcess> {
  const child = fork(fileURLToPath(new URL('sender-child.ts', import.meta.url)), {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return {
    send: async (job) => {
      child.send(job)
      const [report] = (await once(child, 'message')) as [SendingReport]
      return report
    },
    close: async () => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
