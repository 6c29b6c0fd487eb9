import { LRUCache } from 'lru-cache'
import type { AskedEvent } from '#core/contract/webhooks/asked-delivery.ts'
import {
  conditionsSchema,
  countCharacters,
  valuesOf,
  type Conditions,
} from '#core/contract/webhooks/conditions.ts'
import { sendingHoursSchema } from '#core/contract/webhooks/sending-hours.ts'
import type { Db } from '#core/data/database.ts'
import { readStoredChoices, type StoredChoice } from '#core/data/webhooks/read-choices.ts'
import { compileConditions } from '#core/domain/webhooks/conditions/judge-conditions.ts'
import type { Choice } from '#core/domain/webhooks/conditions/judge-planned.ts'
import { SLICES } from '#core/fairness/limits.ts'
import { findPlace } from '#core/zip-table/zip-table.ts'
import { createBatcher } from '#core/concurrency/batch.ts'
import { createSlices } from '#core/concurrency/slices.ts'

/**
 * Bytes of conditions that are kept, or slightly more: enough for six hundred configurations with the longest
 * conditions.
 */
const MOST_KEPT = 64 * 1024 * 1024
/** Size counted for each set of conditions, and for each value, in addition to its characters. */
const LEAST_SIZE = 500
const SIZE_OF_VALUE = 40
/** Configurations that are read together. */
const READ_TOGETHER = 25

type Asked = AskedEvent['configurations'][number]

/** Returns the choices of these configurations by {@link keyOfChoice}, without deleted ones. */
export type ReadChoices = (asked: AskedEvent['configurations']) => Promise<ReadonlyMap<string, Choice>>

export const keyOfChoice = ({
  webhook_config_id: id,
  choice_id: choice,
}: Pick<Asked, 'webhook_config_id' | 'choice_id'>): string => (choice === null ? id : `${id} ${choice}`)

/** Reads and compiles conditions once for each version of a configuration, not once for each lead. */
export function createChoiceReader(db: Db): ReadChoices {
  const kept = new LRUCache<string, Choice>({ maxSize: MOST_KEPT })
  /** reads under way, by configuration and version, so that leads that arrive meanwhile share them */
  const coming = new Map<string, Promise<Choice | undefined>>()
  const inTurn = createSlices(SLICES.mostMs, () => performance.now())
  const reads = createBatcher<Asked, Choice | undefined>({
    maxSize: READ_TOGETHER,
    parallel: 1,
    flush: async (asked) => {
      const stored = await readStoredChoices(db, asked)
      const opened = await Promise.all(
        stored.map(async (one) => ({ key: keyOfChoice(one), ...(await inTurn(() => openChoice(one))) })),
      )
      for (const { key, choice, size } of opened) kept.set(key, choice, { size })
      const byKey = new Map(opened.map(({ key, choice }) => [key, choice]))
      return asked.map((one) => byKey.get(keyOfChoice(one)))
    },
  })

  async function read(asked: Asked): Promise<Choice | undefined> {
    const known = kept.get(keyOfChoice(asked))
    if (known?.version === asked.version) return known
    const key = `${asked.webhook_config_id} ${asked.version}`
    const underWay = coming.get(key) ?? reads.add(asked).finally(() => coming.delete(key))
    coming.set(key, underWay)
    return await underWay
  }

  return async (asked) => {
    const choices = await Promise.all(asked.map(read))
    return new Map(
      choices.flatMap((choice, index) => {
        const one = asked[index]
        return choice === undefined || one === undefined ? [] : [[keyOfChoice(one), choice]]
      }),
    )
  }
}

/** Conditions that only another version of the code can read do not keep a lead from being sent. */
function openChoice({ webhook_config_id, version, conditions: asked, sending_hours }: StoredChoice): {
  choice: Choice
  size: number
} {
  const conditions = CONDITIONS.parse(asked)
  return {
    choice: {
      webhook_config_id,
      version,
      conditions: conditions === null ? null : compileConditions(conditions, findPlace),
      hours: HOURS.parse(sending_hours),
    },
    size: LEAST_SIZE + (conditions === null ? 0 : sizeOf(conditions)),
  }
}

function sizeOf(conditions: Conditions): number {
  const values = conditions.rules.flatMap(valuesOf)
  return values.length * SIZE_OF_VALUE + 2 * countCharacters(values)
}

const CONDITIONS = conditionsSchema.nullable().catch(null)
const HOURS = sendingHoursSchema.nullable().catch(null)
