import { loadConfig } from '#core/config/config.ts'
import { BATCH_LIMIT, CUSTOM_LIMITS } from '#core/contract/leads/lead-ingest.ts'
import { IMPORT_LIMITS } from '#core/contract/imports/lead-import.ts'
import { MOST_NEW_ORDERS, MOST_ORDERS, NEW_ORDERS_DAYS } from '#core/contract/market/order.ts'
import { MOST_WINDOWS } from '#core/contract/market/order-schedule.ts'
import { EVIDENCE_LIMITS } from '#core/contract/market/return-evidence.ts'
import { LEAST_PAYMENT, MOST_PAYMENT, MOST_PENDING_PAYMENTS } from '#core/contract/market/money/payment.ts'
import { MOST_RULE_CHARACTERS, MOST_RULE_VALUES, MOST_RULES } from '#core/contract/webhooks/conditions.ts'
import { RESEND_LIMIT } from '#core/contract/webhooks/resend.ts'
import { BREAKER_RULE } from '#core/domain/webhooks/breaker.ts'
import { TEST_MAILS } from '#core/domain/webhooks/by-mail/test-mail-limits.ts'
import { MAX_HEADERS, MAX_VALUE_LENGTH, MAX_VALUES_LENGTH } from '#core/domain/webhooks/custom-headers.ts'
import { ENDPOINT_RULE } from '#core/domain/webhooks/endpoint-rule.ts'
import { MAX_RETRY_AFTER_SECONDS, maxAttempts } from '#core/domain/webhooks/retry-schedule.ts'
import {
  MOST_RENDERED_CHARACTERS,
  MOST_TEMPLATE_CHARACTERS,
  MOST_TEMPLATE_VALUES,
} from '#core/domain/webhooks/template/check-template.ts'
import { MOST_FORMATS } from '#core/domain/webhooks/template/formats/read-placeholder.ts'
import { LARGEST_PAYLOAD } from '#core/domain/webhooks/template/payload-size.ts'
import { ACCOUNTS, QUEUES, MEMORY } from '#server/admission/limits.ts'
import { KEPT_BODY_BYTES } from '#core/endpoint/exchange-once.ts'
import { MOST_RECEIVED_BYTES } from '#core/endpoint/tls/received-bytes.ts'
import { HTTP_LIMITS } from '#core/http/open-http-server.ts'
import { LONGEST_KEY } from '#server/http/mount-routes.ts'
import { ACCEPTED_BODIES, BATCH_LIMITS, JSON_LIMITS } from '#server/http/body/read-body.ts'
import { MOST_FIELDS } from '#server/http/body/read-form.ts'
import { STREAMS_PER_SENDER } from '#server/changes/change-streams.ts'
import { writeTable } from './write-table.ts'

const KIB = 1024
const MIB = KIB * KIB
const say = (value: number): string => value.toLocaleString('en-US')
const bytes = (value: number): string =>
  value % MIB === 0 ? `${value / MIB} MiB` : value % KIB === 0 ? `${value / KIB} KiB` : `${say(value)} bytes`

/** Nothing connects to these. */
const STAND_INS = { DATABASE_URL: 'postgres://localhost/leadwire', REDIS_URL: 'redis://localhost' }

type Row = readonly [what: string, most: string, variable?: string]

/** Every limit, with the variable by which an installation may change it. */
export function listLimits(): string {
  // Opens no connection: only the defaults of the schema are read.
  const config = loadConfig({}, { standIns: STAND_INS })
  const { webhooks, imports } = config
  const parts: readonly (readonly [string, readonly Row[]])[] = [
    [
      'Webhooks',
      [
        ['Webhooks of one account', say(webhooks.maxPerClient), 'WEBHOOK_MAX_PER_CLIENT'],
        ['Tests of endpoints in a minute', say(webhooks.rates.endpoint_test), 'WEBHOOK_RATE_TEST'],
        ['Test leads in a minute', say(webhooks.rates.test_lead), 'WEBHOOK_RATE_TEST_LEAD'],
        ['Test mails of one account', `${TEST_MAILS.account.hour} an hour, ${TEST_MAILS.account.day} a day`],
        ['Test mails to one address', `${TEST_MAILS.address.hour} an hour, ${TEST_MAILS.address.day} a day`],
        [
          'One exchange: connecting, request and answer',
          `${webhooks.timeoutMs / 1000} s`,
          'WEBHOOK_TIMEOUT_MS',
        ],
        [
          'Attempts of one delivery',
          say(maxAttempts({ stepSeconds: webhooks.retryScheduleSeconds })),
          'WEBHOOK_RETRY_SCHEDULE',
        ],
        ['Longest `Retry-After` that is obeyed', `${MAX_RETRY_AFTER_SECONDS / 3600} h`],
        [
          'Requests to one endpoint at a time',
          say(webhooks.endpointConcurrency),
          'WEBHOOK_ENDPOINT_CONCURRENCY',
        ],
        [
          'Custom headers',
          `${MAX_HEADERS}, each value at most ${say(MAX_VALUE_LENGTH)} characters, all at most ${say(MAX_VALUES_LENGTH)}`,
        ],
        [
          'Conditions of a webhook',
          `${MOST_RULES} conditions, ${MOST_RULE_VALUES} values in each, ${say(MOST_RULE_CHARACTERS)} characters in all values`,
        ],
        ['Windows of sending hours in a day', say(MOST_WINDOWS)],
        [
          'Payload template',
          `${say(MOST_TEMPLATE_CHARACTERS)} characters, ${say(MOST_TEMPLATE_VALUES)} values`,
        ],
        [
          'Longest payload that a template could make of any lead',
          `${say(MOST_RENDERED_CHARACTERS)} characters`,
        ],
        ['Payload of one lead', bytes(LARGEST_PAYLOAD)],
        ['Formats of one placeholder', say(MOST_FORMATS)],
        ['Read by all formats of one payload together', `${say(LARGEST_PAYLOAD)} characters`],
        ['Part of an answer’s body that is kept and read by success rules', bytes(KEPT_BODY_BYTES)],
        ['Part of an answer that is read, headers included', bytes(MOST_RECEIVED_BYTES)],
        ['Deliveries that one *Resend failed since…* sends', say(RESEND_LIMIT)],
      ],
    ],
    [
      'Endpoints that fail',
      [
        [
          'Attempts in a row without a usable answer, until deliveries are held',
          say(BREAKER_RULE.opensAfter),
        ],
        ['Longest wait between two probes of such an endpoint', `${BREAKER_RULE.longestProbeSeconds} s`],
        ['Failed attempts in a row, until you are warned', say(ENDPOINT_RULE.warnAfterFailures)],
        ['Days without a success, until the webhook is switched off', say(ENDPOINT_RULE.switchOffAfterDays)],
      ],
    ],
    [
      'Posting leads',
      [
        ['Leads of one source in a minute', say(config.ingestRate), 'INGEST_RATE'],
        ['Leads of one source that wait to be stored', say(QUEUES.longest)],
        ['Leads in one batch', say(BATCH_LIMIT)],
        ['Batches of all sources that wait', say(QUEUES.longest)],
        ['Body of a request', bytes(ACCEPTED_BODIES.json.limit)],
        ['Body of a batch, unpacked', bytes(ACCEPTED_BODIES.batch.limit)],
        [
          'Values in the JSON of a request; of a batch',
          `${say(JSON_LIMITS.values)}; ${say(BATCH_LIMITS.values)}`,
        ],
        ['Levels of nested JSON', say(JSON_LIMITS.deepest)],
        ['Fields of a form', say(MOST_FIELDS)],
        [
          'Values in `custom` and `utm` of a lead',
          `${CUSTOM_LIMITS.keys}, together ${bytes(CUSTOM_LIMITS.bytes)}`,
        ],
        ['`Idempotency-Key`', `${LONGEST_KEY} characters of printable ASCII`],
      ],
    ],
    [
      'Calling the API',
      [
        ['Requests of one account that are answered at the same time', say(ACCOUNTS.together)],
        ['Requests of one account that wait in its queue', say(QUEUES.longest)],
        [
          'Requests of one account before they are answered one by one',
          `${say(ACCOUNTS.atOnce)}, plus ${say(ACCOUNTS.perSecond)} each second`,
        ],
        [
          'Memory for the unanswered requests and unread answers of one account, source or network',
          `${bytes(MEMORY.ofCaller)}; ${bytes(MEMORY.ofAll)} for all together`,
        ],
        ['Downloads of one account at the same time', say(ACCOUNTS.downloadsTogether)],
        ['Open streams of changes of one account', say(STREAMS_PER_SENDER)],
        [
          'Time to send the headers of a request; the whole request',
          `${HTTP_LIMITS.headersMs / 1000} s; ${HTTP_LIMITS.requestMs / 1000} s`,
        ],
      ],
    ],
    [
      'Importing leads',
      [
        ['One file', bytes(imports.maxBytes), 'IMPORT_MAX_BYTES'],
        ['Rows of a file', say(IMPORT_LIMITS.rows)],
        ['Columns of a file', say(IMPORT_LIMITS.columns)],
      ],
    ],
    [
      'Orders and money',
      [
        ['Orders of one client', say(MOST_ORDERS)],
        [`Orders that one client creates in ${NEW_ORDERS_DAYS} days`, say(MOST_NEW_ORDERS)],
        ['One payment', `$${say(LEAST_PAYMENT)} to $${say(MOST_PAYMENT)}`],
        ['Pending payments at the same time', say(MOST_PENDING_PAYMENTS)],
        [
          'Files of one return',
          `${EVIDENCE_LIMITS.files}, each at most ${EVIDENCE_LIMITS.bytes / 1_000_000} MB`,
        ],
        [
          'After a sale, another lead of the same person and type is a duplicate for',
          `${config.market.windows.duplicateDays} days`,
          'LEAD_DUPLICATE_DAYS',
        ],
        [
          'After a sale, the same client is not sold this person and type again for',
          `${config.market.windows.resaleDays} days`,
          'LEAD_RESALE_DAYS',
        ],
        ['A lead that no order took is offered again for', `${config.market.holdHours} h`, 'LEAD_HOLD_HOURS'],
      ],
    ],
    [
      'What is kept',
      [
        ['Delivery logs', `${config.logs.keepDays} days`, 'LOG_RETENTION_DAYS'],
        ['Headers and bodies in them', `${config.logs.keepBodiesDays} days`, 'LOG_BODY_RETENTION_DAYS'],
        ['Messages of the contact form', `${config.contact.keepDays} days`, 'CONTACT_RETENTION_DAYS'],
        [
          'Imported files, and their rows that became no lead',
          `${imports.keepDays} days`,
          'IMPORT_RETENTION_DAYS',
        ],
        ['Files that were not sent with a return', `${EVIDENCE_LIMITS.unsentHours} h`],
      ],
    ],
  ]
  return parts
    .map(([title, rows]) => `### ${title}\n\n${writeTable(['What', 'Limit', 'Set by'], rows.map(finish))}`)
    .join('\n\n')
}

function finish([what, most, variable]: Row): string[] {
  return [what, most, variable === undefined ? '–' : `\`${variable}\``]
}
