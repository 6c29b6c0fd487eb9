import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RECOVERY_CODES } from '#core/contract/accounts/recovery-codes.ts'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { AlertDialog } from '#web/ui/overlay/AlertDialog.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { recoveryCodesQuery, useMakeRecoveryCodes } from '../account-queries.ts'

/** Below this number the panel asks for new codes. */
const FEW = 3

/**
 * Shows how many recovery codes are left and makes new ones. A code lets the owner in when the phone is lost.
 */
export function RecoveryCodes() {
  const { data } = useQuery(recoveryCodesQuery)
  const make = useMakeRecoveryCodes()
  const [asked, setAsked] = useState(false)

  const begin = () => {
    setAsked(false)
    make.mutate(undefined, { onError: (error) => toast.error(describeFailure(error)) })
  }

  if (make.data !== undefined) return <NewRecoveryCodes codes={make.data} onDone={make.reset} />
  if (data === undefined) return null
  const { left, created_at } = data
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-sm font-medium">Recovery codes</p>
        <p className={left < FEW ? 'text-xs text-waiting' : 'text-xs text-muted'}>
          {created_at === null
            ? 'None yet. Without them a lost phone locks you out.'
            : `${left} of ${RECOVERY_CODES} left. Each lets you in once without your phone.`}
        </p>
      </div>
      <Button
        size="sm"
        busy={make.isPending}
        // New codes invalidate the printed ones, so we ask first.
        onClick={() => (left === 0 ? begin() : setAsked(true))}
      >
        {created_at === null ? 'Make recovery codes' : 'Make new codes'}
      </Button>
      <AlertDialog
        open={asked}
        onOpenChange={setAsked}
        title="Make new recovery codes?"
        description="Your current recovery codes stop working."
        confirmLabel="Make new codes"
        onConfirm={begin}
      />
    </div>
  )
}

/** If the server's answer is lost, the old codes may already be invalid. */
function describeFailure(error: Error) {
  const isLost = error instanceof ApiError && (error.code === 'network' || error.status >= 500)
  return isLost
    ? 'The server did not answer. Your current codes may no longer work, so make new ones.'
    : errorSentence(error)
}

function NewRecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <Banner tone="waiting" title="Keep these codes apart from your phone">
        They are shown only once. Each lets you in one time.
      </Banner>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-lg border border-line bg-sunken p-4 text-center font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton value={codes.join('\n')} label="Copy the codes" labelled />
        <Button size="sm" onClick={onDone}>
          I have kept them
        </Button>
      </div>
    </div>
  )
}
