import { apiRoutes } from '#server/api-routes.ts'
import type { ApiDocument, Operation } from '#server/http/openapi/api-document.ts'
import { describeApi } from '#server/http/openapi/describe-api.ts'
import { TAGS } from '#server/http/openapi/tags.ts'
import type { TryCall } from '#web/site/try-call.ts'
import { writeSlug } from '../../documents/list-anchors.ts'
import type { SitePage } from '../read-pages.ts'
import { asCode, writeTable } from '../tables/write-table.ts'
import { describeTry } from './describe-try.ts'
import { writeOperation } from './write-operation.ts'

/** Sorts after every guide of the documentation. */
const FIRST_ORDER = 200
const ROOT = '/documentation/api'

interface Call {
  method: string
  path: string
  operation: Operation
}

/** Hints for calls that readers look for in another section. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  leads: `To post a lead or create a test lead, use [POST /api/v1/leads](${ROOT}/posting-leads#${writeSlug('POST /api/v1/leads')}).`,
}

/**
 * The API reference as pages of the documentation: one about making calls, and one for each section of the
 * OpenAPI document.
 */
export function renderApiReference(): SitePage[] {
  const document = describeApi(apiRoutes, 'http://localhost:3000')
  const rooms = TAGS.map(({ slug, name, description }, index) => {
    const calls = listCalls(document, name)
    return {
      ...writePage(
        `api/${slug}`,
        `API: ${name}`,
        description,
        FIRST_ORDER + 1 + index,
        [ELSEWHERE[slug] ?? '', writeRoom(calls)].join('\n\n').trim(),
      ),
      tries: listTries(calls),
    }
  })
  const description =
    'Every call of the Leadwire API with its parameters, answers, examples, and samples in curl, Node and Python.'
  return [writePage('api', 'API reference', description, FIRST_ORDER, writeStart(document)), ...rooms]
}

function writePage(
  slug: string,
  title: string,
  description: string,
  order: number,
  markdown: string,
): SitePage {
  return {
    section: 'documentation',
    slug,
    path: `/documentation/${slug}`,
    meta: { title, description, order: String(order), section: 'API reference' },
    markdown,
  }
}

function listCalls(document: ApiDocument, tag: string): Call[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation.tags.includes(tag) ? [{ method, path, operation }] : [],
    ),
  )
}

function writeStart(document: ApiDocument): string {
  const rows = TAGS.map(({ slug, name, description }) => [
    `[${name}](${ROOT}/${slug})`,
    description,
    String(listCalls(document, name).length),
  ])
  return [
    document.info.description,
    '## How to call',
    `The samples read the address from ${asCode('LEADWIRE_URL')}, an access token from ${asCode('ACCESS_TOKEN')} and a source’s key from ${asCode('SOURCE_KEY')}. See [where a token comes from](/documentation/accounts#sign-in-from-a-program) and [what a refusal says](/documentation/errors#what-the-api-refuses).`,
    `*Try it* below a call sends it from this page, with your own token. You can try every call that only reads, and tests that change nothing.`,
    `Tools find the same as an OpenAPI 3.1 document at ${asCode('/api/v1/openapi.json')}, with an ${asCode('ETag')}.`,
    '## All calls, by section',
    writeTable(['Section', 'Purpose', 'Calls'], rows),
  ].join('\n\n')
}

function listTries(calls: readonly Call[]): Record<string, TryCall> {
  return Object.fromEntries(
    calls.flatMap(({ method, path, operation }) => {
      const found = describeTry(method, path, operation)
      return found === undefined ? [] : [[writeSlug(`${method.toUpperCase()} ${path}`), found]]
    }),
  )
}

function writeRoom(calls: readonly Call[]): string {
  const first = calls.find(canRun)
  const told = new Map<string, string>()
  return calls
    .map((call) => writeOperation(call.method, call.path, call.operation, { isRun: call === first, told }))
    .join('\n\n')
}

/** Whether any signed-in user can run its sample unchanged. */
function canRun({ method, path, operation }: Call): boolean {
  const isOpen = operation.security.length === 0 || operation.security.some((one) => 'accessToken' in one)
  const needsNothing = operation.parameters.every(({ required }) => !required)
  return method === 'get' && isOpen && needsNothing && !path.includes('/admin/')
}
