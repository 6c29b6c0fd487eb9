import type { RowTable } from '#core/contract/rows/row-tables.ts'
import type { FeedListener, RowChange } from './feed.ts'
import type { ToldChange } from './gather-changes.ts'

interface Following extends FeedListener {
  tell: (changes: readonly RowChange[]) => void
  resync: (() => void) | undefined
  isLive: boolean
  ready: PromiseWithResolvers<void>
}

/** All listeners of this process, by account. */
export interface Listeners {
  count: () => number
  add: (
    listener: FeedListener,
    tell: Following['tell'],
    resync?: () => void,
  ) => { ready: Promise<void>; close: () => void }
  /** Those who wait for the moment from which they hear of changes. */
  waiting: () => Following[]
  isFollowed: (table: RowTable, account: string) => boolean
  tell: (changes: readonly ToldChange[]) => void
  resync: () => void
  clear: () => void
}

export function createListeners(): Listeners {
  const byAccount = new Map<string, Set<Following>>()
  let count = 0
  const all = (): Following[] => [...byAccount.values()].flatMap((some) => [...some])
  return {
    count: () => count,
    add: (listener, tell, resync) => {
      const following = { ...listener, tell, resync, isLive: false, ready: Promise.withResolvers<void>() }
      const some = byAccount.get(listener.account_id) ?? new Set()
      byAccount.set(listener.account_id, some.add(following))
      count += 1
      const close = (): void => {
        following.ready.resolve()
        if (!some.delete(following)) return
        count -= 1
        if (some.size === 0 && byAccount.get(listener.account_id) === some)
          byAccount.delete(listener.account_id)
      }
      return { ready: following.ready.promise, close }
    },
    waiting: () => all().filter(({ isLive }) => !isLive),
    isFollowed: (table, account) =>
      [...(byAccount.get(account) ?? [])].some(({ isLive, tables }) => isLive && tables.has(table)),
    tell: (changes) => {
      for (const [account, own] of Map.groupBy(changes, ({ account_id }) => account_id))
        for (const following of byAccount.get(account) ?? []) {
          const heard = following.isLive ? own.filter((change) => mayHear(following, change)) : []
          if (heard.length > 0) following.tell(heard)
        }
    },
    resync: () => {
      for (const { isLive, resync } of all()) if (isLive) resync?.()
    },
    clear: () => {
      for (const { ready } of all()) ready.resolve()
      byAccount.clear()
      count = 0
    },
  }
}

function mayHear({ tables, member_user_id: member }: FeedListener, change: ToldChange): boolean {
  if (!tables.has(change.table)) return false
  return member === undefined ? change.only === undefined : change.member_user_id === member
}
