import { setTimeout as sleep } from 'node:timers/promises'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { readAnswer } from '#core/domain/webhooks/answer/read-answer.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { OPEN_ACCESS } from '#core/endpoint/endpoint-access.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import { prepareRequest } from '#core/endpoint/prepare-request.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import { createTransport } from '#core/endpoint/transport.ts'

/** Number of requests and their address; at most ten run at once. */
export interface SendingJob {
  url: string
  times: number
  timeoutMs: number
  /** characters of the payload */
  payloadSize?: number
  /** PEM of the only trusted authority */
  authority?: string
}

/**
 * Results of a job. Memory is that of this process; `growth` compares it with the start, both after a garbage
 * collection or at the peak.
 */
export interface SendingReport {
  /** each error class or status once */
  outcomes: string[]
  longestMs: number
  longestBody: number
  longestWaitSeconds: number | null
  peakRssGrowthMb: number
  heapGrowthMb: number
}

const guard = createAddressGuard(['127.0.0.0/8', '::1/128'])
const secret = createSigningSecret()
const MB = 1024 * 1024

async function run(job: SendingJob): Promise<SendingReport> {
  const transport = createTransport(guard, { timeoutMs: job.timeoutMs, connectionsPerOrigin: 10 })
  const outcomes = new Set<string>()
  const report = { longestMs: 0, longestBody: 0, longestWaitSeconds: null as number | null }
  const prepare = () =>
    prepareRequest(
      {
        endpointUrl: job.url,
        method: 'POST',
        payloadType: 'JSON',
        template: compileTemplate(JSON.stringify({ name: '{{name}}' })),
        missingValues: 'empty',
        answerRules: { successRule: null, capturePath: null },
        customHeaders: {},
        signingSecrets: [secret],
      },
      { event: 'lead.assigned', eventId: 'evt-1', deliveryId: 'dlv-1', attempt: 1, sentAt: new Date() },
      sampleValues('lead.assigned', new Date()),
      'https://leadwire.example.com',
    )
  // Longer than any prepared payload: no socket buffer takes it whole.
  const request = () =>
    job.payloadSize === undefined ? prepare() : { ...prepare(), body: 'x'.repeat(job.payloadSize) }
  const access = {
    ...OPEN_ACCESS,
    ...(job.authority !== undefined && {
      certificates: { authority: job.authority, certificate: null, key: null },
    }),
  }
  const sendOne = async (): Promise<void> => {
    const { exchange, timing, body } = await transport.send(request(), { client: 'client-1', access })
    const verdict = readAnswer(exchange, new Date())
    outcomes.add(exchange.kind === 'answer' ? String(exchange.status) : exchange.errorClass)
    report.longestMs = Math.max(report.longestMs, timing.total_ms)
    report.longestBody = Math.max(report.longestBody, body?.length ?? 0)
    if (verdict.state === 'failed' && verdict.retryAfterSeconds !== undefined) {
      report.longestWaitSeconds = Math.max(report.longestWaitSeconds ?? 0, verdict.retryAfterSeconds)
    }
  }

  // The first requests allocate what stays: code, pools, OpenSSL's own memory.
  for (let warm = 0; warm < Math.min(3, job.times); warm += 1) await sendOne()
  const before = await measure()
  let peakRss = before.rss
  const sampling = setInterval(() => {
    peakRss = Math.max(peakRss, process.memoryUsage.rss())
  }, 5)
  for (let sent = 0; sent < job.times; sent += 10) {
    await Promise.all(Array.from({ length: Math.min(10, job.times - sent) }, sendOne))
    // Looks for leaks, not for garbage that is yet to be collected.
    if (sent % 100 === 0) globalThis.gc?.()
  }
  clearInterval(sampling)
  const after = await measure()
  await transport.close()
  return {
    ...report,
    outcomes: [...outcomes].toSorted(),
    peakRssGrowthMb: (Math.max(peakRss, after.rss) - before.rss) / MB,
    heapGrowthMb: (after.heapUsed - before.heapUsed) / MB,
  }
}

async function measure(): Promise<NodeJS.MemoryUsage> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.()
    await sleep(10)
  }
  return process.memoryUsage()
}

process.on('message', (job: SendingJob) => {
  // A fault of the job ends the process as an unhandled rejection.
  void run(job).then((report) => process.send?.(report))
})
// Nothing else keeps the process alive.
process.channel?.ref()
process.stdout.write('sender ready\n')
