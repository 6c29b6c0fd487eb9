import { expect, it } from 'vitest'
import { BATCH_LIMIT } from '#core/contract/leads/lead-ingest.ts'
import { POSTING_SPEC_DAYS } from '#core/contract/leads/posting-spec.ts'
import { MOST_WINDOWS } from '#core/contract/market/order-schedule.ts'
import { MOST_RULE_VALUES, MOST_RULES } from '#core/contract/webhooks/conditions.ts'
import { loadConfig } from '#core/config/config.ts'
import { RETURN_DAYS } from '#core/domain/market/judge-return.ts'
import { readAnswer } from '#core/domain/webhooks/answer/read-answer.ts'
import { BREAKER_RULE } from '#core/domain/webhooks/breaker.ts'
import { REFUSED_HEADERS, REFUSED_PREFIXES } from '#core/domain/webhooks/custom-headers.ts'
import { ENDPOINT_RULE } from '#core/domain/webhooks/endpoint-rule.ts'
import { MAX_RETRY_AFTER_SECONDS, maxAttempts } from '#core/domain/webhooks/retry-schedule.ts'
import {
  MOST_TEMPLATE_CHARACTERS,
  MOST_TEMPLATE_VALUES,
} from '#core/domain/webhooks/template/check-template.ts'
import { MOST_FORMATS } from '#core/domain/webhooks/template/formats/read-placeholder.ts'
import { LARGEST_PAYLOAD } from '#core/domain/webhooks/template/payload-size.ts'
import { KEPT_BODY_BYTES } from '#core/endpoint/exchange-once.ts'
import { MEMORY } from '#server/admission/limits.ts'
import { readPages } from '#scripts/site/read-pages.ts'

const { auth, webhooks } = loadConfig(
  {},
  { standIns: { DATABASE_URL: 'postgres://localhost/leadwire', REDIS_URL: 'redis://localhost' } },
)
const unauthorised = readAnswer({ kind: 'answer', status: 401, headers: {} }, new Date(0))
/** The verdict without its advice. */
const refusal = unauthorised.state === 'failed' ? (unauthorised.message.split('.')[0] ?? '') : ''
const ATTEMPTS = maxAttempts({ stepSeconds: webhooks.retryScheduleSeconds })
const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const inWords = (number: number) => WORDS[number] ?? String(number)
const grouped = (number: number) => number.toLocaleString('en-US')
const pages = new Map(
  (['documentation', 'blog', 'legal', 'pages'] as const)
    .flatMap((section) => readPages(section))
    .map(({ slug, markdown, meta }) => [
      slug,
      `${meta['summary'] ?? ''} ${markdown}`.replaceAll(/\s+/g, ' ').toLowerCase(),
    ]),
)

// Facts in sentences cannot be generated, so this compares them with the code.
it.each([
  ['verify-signatures', refusal],
  ['retries', `longer than ${webhooks.timeoutMs / 1000} seconds`],
  ['retries', `at most ${MAX_RETRY_AFTER_SECONDS / 3600} hours of it`],
  ['retries', `after ${inWords(BREAKER_RULE.opensAfter)} attempts in a row`],
  ['retries', `failed ${ENDPOINT_RULE.warnAfterFailures} times in a row`],
  ['retries', `every ${inWords(ENDPOINT_RULE.warnAgainHours)} hours`],
  ['retries', `${inWords(ENDPOINT_RULE.switchOffAfterDays)} days without a success`],
  ['retries', `on at least ${inWords(ENDPOINT_RULE.switchOffFailedDays)} of them`],
  ['errors', `after ${inWords(BREAKER_RULE.opensAfter)} such failures in a row`],
  ['accounts', `makes no api call for ${auth.inactivitySeconds / 60} minutes`],
  ['receive-leads-well', `waits ${webhooks.timeoutMs / 1000} seconds`],
  ['receive-leads-well', `tried ${inWords(ATTEMPTS)} times`],
  ['idempotent-receivers', `tries again, ${inWords(ATTEMPTS - 1)} more times`],
  ['why-webhooks-are-lost', `gave up after ${webhooks.timeoutMs / 1000}`],
  [
    'templates',
    `${grouped(MOST_TEMPLATE_CHARACTERS)} characters, and ${grouped(MOST_TEMPLATE_VALUES)} values`,
  ],
  ['templates', `${grouped(LARGEST_PAYLOAD)} bytes`],
  ['templates', `up to ${inWords(MOST_FORMATS)} formats may follow one another`],
  ['limits', `more than ${MEMORY.smallBody / 1024} kib`],
  ['verify-signatures', `more than ${grouped(LARGEST_PAYLOAD)} bytes`],
  ...[...REFUSED_HEADERS].map((name) => ['receivers', `\`${name}\``]),
  ...REFUSED_PREFIXES.map((prefix) => ['receivers', `\`${prefix}\``]),
  ['success-rules', `first ${KEPT_BODY_BYTES / 1024} kib`],
  ['conditions', `${MOST_RULES} conditions, and each of them ${MOST_RULE_VALUES} values`],
  ['conditions', `a day has at most ${inWords(MOST_WINDOWS)}`],
  ['posting-leads', `up to ${grouped(BATCH_LIMIT)} in one request`],
  [
    'posting-leads',
    `good for ${POSTING_SPEC_DAYS.slice(0, -1).join(', ')} or ${POSTING_SPEC_DAYS.at(-1)} days`,
  ],
  ['help-center', `within ${inWords(RETURN_DAYS)} days`],
  ['help-center', `fails ${ENDPOINT_RULE.warnAfterFailures} times in a row`],
  ['terms-of-service', `within ${inWords(RETURN_DAYS)} days after assignment`],
])('%s says "%s"', (slug, sentence) => {
  expect(sentence).not.toBe('')
  expect(pages.get(slug)).toContain(sentence)
})
