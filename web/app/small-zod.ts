import { config } from 'zod/v4/core'
import en from 'zod/v4/locales/en.js'
import * as mini from 'zod/mini'
import { catch as withFallback } from 'zod/v4/mini'

/**
 * Replaces `zod` in the browser build: the same schemas, made with the smaller `zod/mini`, plus the methods
 * and functions that this code calls. The whole of zod is 27 KB, this is 9 (docs/decisions/0024).
 * tests/unit/web/app/small-zod.test.ts proves that every schema behaves the same.
 */
export const z = {
  string: mini.string,
  number: mini.number,
  int: mini.int,
  boolean: mini.boolean,
  date: mini.date,
  unknown: mini.unknown,
  null: mini.null,
  undefined: mini.undefined,
  literal: mini.literal,
  enum: mini.enum,
  array: mini.array,
  tuple: mini.tuple,
  object: mini.object,
  strictObject: mini.strictObject,
  looseObject: mini.looseObject,
  record: mini.record,
  partialRecord: mini.partialRecord,
  union: mini.union,
  discriminatedUnion: mini.discriminatedUnion,
  templateLiteral: mini.templateLiteral,
  preprocess: (fn: (value: unknown) => unknown, schema: mini.ZodMiniType) =>
    mini.pipe(mini.transform(fn), schema),
  url: mini.url,
  uuid: mini.uuid,
  guid: mini.guid,
  custom: mini.custom,
  iso: { datetime: mini.iso.datetime, date: mini.iso.date },
  coerce: { number: mini.coerce.number },
}

// By default zod compiles schemas with `new Function`, which the content security policy reports as a
// violation.
config({ ...en(), jitless: true })

type Schema = mini.ZodMiniType
type Check = Parameters<Schema['check']>[0]

/** Adds methods to a kind of schema. Zod copies the prototype's methods to each schema of that kind. */
function addMethods(
  kind: { prototype: unknown },
  methods: Record<string, (this: never, ...given: never[]) => unknown>,
) {
  Object.assign(kind.prototype as object, methods)
}

addMethods(mini.ZodMiniType, {
  optional(this: Schema) {
    return mini.optional(this)
  },
  nullable(this: Schema) {
    return mini.nullable(this)
  },
  nullish(this: Schema) {
    return mini.optional(mini.nullable(this))
  },
  default(this: Schema, value: unknown) {
    return mini._default(this, value)
  },
  catch(this: Schema, value: unknown) {
    return withFallback(this, value)
  },
  array(this: Schema) {
    return mini.array(this)
  },
  or(this: Schema, other: Schema) {
    return mini.union([this, other])
  },
  pipe(this: Schema, next: Schema) {
    return mini.pipe(this, next)
  },
  transform(this: Schema, change: (value: unknown) => unknown) {
    return mini.pipe(this, mini.transform(change))
  },
  refine(this: Schema, ...given: Parameters<typeof mini.refine>) {
    return this.check(mini.refine(...given))
  },
  overwrite(this: Schema, ...given: Parameters<typeof mini.overwrite>) {
    return this.check(mini.overwrite(...given))
  },
  superRefine(this: Schema, ...given: Parameters<typeof mini.superRefine>) {
    return this.check(mini.superRefine(...given))
  },
  /** Used only for documents that the server makes. */
  meta(this: Schema) {
    return this
  },
  describe(this: Schema) {
    return this
  },
})

/** Adds mini's checks as methods, under zod's names. */
function addChecks(kind: { prototype: unknown }, checks: Record<string, (...given: never[]) => unknown>) {
  const methods = Object.entries(checks).map(([name, make]) => [
    name,
    function (this: Schema, ...given: never[]) {
      return this.check(make(...given) as Check)
    },
  ])
  addMethods(kind, Object.fromEntries(methods) as Parameters<typeof addMethods>[1])
}

addChecks(mini.ZodMiniString, {
  min: mini.minLength,
  max: mini.maxLength,
  length: mini.length,
  regex: mini.regex,
  includes: mini.includes,
  startsWith: mini.startsWith,
  trim: mini.trim,
  toLowerCase: mini.toLowerCase,
  toUpperCase: mini.toUpperCase,
})
addChecks(mini.ZodMiniType, { overwrite: mini.overwrite })
addChecks(mini.ZodMiniNumber, {
  min: mini.gte,
  max: mini.lte,
  int: mini.int,
})
addChecks(mini.ZodMiniArray, { min: mini.minLength, max: mini.maxLength, length: mini.length })

addMethods(mini.ZodMiniObject, {
  extend(this: mini.ZodMiniObject, shape: Record<string, Schema>) {
    return mini.extend(this, shape)
  },
  pick(this: mini.ZodMiniObject, mask: Record<string, true>) {
    return mini.pick(this, mask)
  },
  partial(this: mini.ZodMiniObject) {
    return mini.partial(this)
  },
  keyof(this: mini.ZodMiniObject) {
    return mini.keyof(this)
  },
})

for (const kind of [mini.ZodMiniOptional, mini.ZodMiniNullable, mini.ZodMiniDefault])
  addMethods(kind, {
    unwrap(this: mini.ZodMiniOptional) {
      return this._zod.def.innerType
    },
  })
