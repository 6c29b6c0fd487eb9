import type { JsonSchema } from '../api-document.ts'
import { makeExample } from '../make-example.ts'
import { CERTIFICATION_WORDS } from './certification-words.ts'
import { COMMON_WORDS } from './common-words.ts'
import { EXPORT_WORDS } from './export-words.ts'
import { LEAD_WORDS } from './lead-words.ts'
import { MARKET_WORDS } from './market-words.ts'
import { OPERATION_WORDS } from './operation-words.ts'
import { REVOCATION_WORDS } from './revocation-words.ts'
import { PROMISE_WORDS } from './promise-words.ts'
import { STORY_WORDS } from './story-words.ts'
import { OVERVIEW_WORDS } from './overview-words.ts'
import { WEBHOOK_WORDS } from './webhook-words.ts'

/** All descriptions of members. A test fails if a key is in two of the files. */
export const MEMBER_WORDS: readonly Readonly<Record<string, string>>[] = [
  COMMON_WORDS,
  LEAD_WORDS,
  WEBHOOK_WORDS,
  MARKET_WORDS,
  OPERATION_WORDS,
  STORY_WORDS,
  REVOCATION_WORDS,
  OVERVIEW_WORDS,
  EXPORT_WORDS,
  CERTIFICATION_WORDS,
  PROMISE_WORDS,
]
const WORDS = new Map(MEMBER_WORDS.flatMap((words) => Object.entries(words)))

/**
 * The place of a member: the section of its call (tags.ts) and the member that contains it, which is empty at
 * the top and in rows of a list.
 */
interface Place {
  room: string
  inside: string
}

/**
 * Returns the schema with a description and an example for each member. The closest key counts: `room/member.name`,
 * `member.name`, `room/name`, `name`. A schema that has a description keeps it.
 * @param used called with each key that was found
 * @throws Error if a member has no description
 */
export function describeMembers(
  schema: JsonSchema,
  room: string,
  used: (key: string) => void = () => undefined,
): JsonSchema {
  return describe(schema, { room, inside: '' }, '', used)
}

function describe(schema: JsonSchema, place: Place, name: string, used: (key: string) => void): JsonSchema {
  const within = { ...place, inside: nameInside(schema, place, name) }
  const walk = (inner: JsonSchema) => describe(inner, within, '', used)
  const { properties, items, additionalProperties, anyOf, oneOf, allOf, ...rest } = schema
  const described: JsonSchema = {
    ...rest,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([member, inner]) => [
              member,
              addWords(describe(inner, within, member, used), inner, within, member, used),
            ]),
          ),
        }),
    ...(items === undefined ? {} : { items: walk(items) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object' ? walk(additionalProperties) : additionalProperties,
        }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(walk) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(walk) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(walk) }),
  }
  return described
}

/** Rows of a list count as top-level, and a problem has its own descriptions everywhere. */
function nameInside({ properties = {} }: JsonSchema, { inside }: Place, name: string): string {
  if ('title' in properties && 'detail' in properties) return 'problem'
  return name === '' || name === 'data' ? inside : name
}

function addWords(
  described: JsonSchema,
  plain: JsonSchema,
  { room, inside }: Place,
  name: string,
  used: (key: string) => void,
): JsonSchema {
  const keys = [`${room}/${inside}.${name}`, `${inside}.${name}`, `${room}/${name}`, name]
  const key = keys.find((one) => WORDS.has(one))
  if (key !== undefined) used(key)
  const description = plain.description ?? WORDS.get(key ?? '')
  if (description === undefined)
    throw new Error(
      `Nobody explained the member ${inside === '' ? '' : `${inside}.`}${name} (${room}): server/http/openapi/members`,
    )
  return { ...described, description, ...(isLeaf(plain) ? { examples: [makeExample(plain, name)] } : {}) }
}

/** A member with members of its own shows those, each with its example. */
function isLeaf({ type, properties, items, anyOf, oneOf }: JsonSchema): boolean {
  if (properties !== undefined) return false
  if (type === 'array') return items === undefined || isLeaf(items)
  return [...(anyOf ?? []), ...(oneOf ?? [])].every(isLeaf)
}
