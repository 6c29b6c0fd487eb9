import { useState } from 'react'
import type { ClientAccount, ClientAccountChange } from '#core/contract/market/client-account.ts'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { toast } from '#web/ui/overlay/toast.ts'
import { useChangeAccount } from '../money-queries.ts'

export interface AccountForm {
  busy: boolean
  /** the account as another tab has saved it, until the user saves again */
  overtakenBy: ClientAccount | null
  /**
   * Saves a change. It is not saved if another tab was first, then without errors. `faults` are by field; ''
   * holds the error that concerns none.
   */
  save: (change: Omit<ClientAccountChange, 'version'>) => Promise<Saving>
}

interface Saving {
  isSaved: boolean
  faults: Readonly<Record<string, string>>
}

/** Saves a part of the account, provided that nobody has changed it since it was shown. */
export function useAccountForm(account: ClientAccount, saved: string): AccountForm {
  const change = useChangeAccount()
  const [overtakenBy, setOvertakenBy] = useState<ClientAccount | null>(null)
  return {
    busy: change.isPending,
    overtakenBy,
    save: async (wish) => {
      try {
        const { result, account: now } = await change.mutateAsync({ ...wish, version: account.version })
        setOvertakenBy(result === 'overtaken' ? now : null)
        if (result === 'saved') toast.success(saved)
        return { isSaved: result === 'saved', faults: {} }
      } catch (error) {
        const told = error instanceof ApiError ? error.errors : []
        const faults = Object.fromEntries(told.map(({ path, message }) => [path, message]))
        return { isSaved: false, faults: told.length === 0 ? { '': errorSentence(error) } : faults }
      }
    },
  }
}
