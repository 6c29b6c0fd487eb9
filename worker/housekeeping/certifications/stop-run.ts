import type { CertificationAttempt, CertificationStop } from '#core/contract/webhooks/certification.ts'

/** The run ends here; the case that was tried has failed, and those after it are skipped. */
export class StopRun extends Error {
  override readonly name = 'StopRun'
  readonly stop: CertificationStop
  /** a sentence for the client */
  readonly detail: string
  readonly attempts: readonly CertificationAttempt[]
  constructor(stop: CertificationStop, detail: string, attempts: readonly CertificationAttempt[] = []) {
    super(stop)
    this.stop = stop
    this.detail = detail
    this.attempts = attempts
  }
}

/** Another worker has the run, or it has ended. */
export class RunLost extends Error {
  override readonly name = 'RunLost'
}

/** Whether a run ended because it was lost. An aborted wait throws an error whose cause is the reason of the abort. */
export function isRunLost(error: unknown): boolean {
  return error instanceof RunLost || (error instanceof Error && error.cause instanceof RunLost)
}

/** This machine lacked something, so that nothing was sent: the run is continued later. */
export class OwnShortage extends Error {
  override readonly name = 'OwnShortage'
}
