import { useQuery } from '@tanstack/react-query'
import type { AccountNotices, ClientAccountChange } from '#core/contract/market/client-account.ts'
import { errorSentence } from '#web/api/errors.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { NOTICE_LABELS } from './notice-labels.ts'
import { QuietHours } from './QuietHours.tsx'
import { accountQuery, useBalance, useChangeAccount } from '../money-queries.ts'

const CHOICES: readonly { name: keyof AccountNotices; hint: string }[] = [
  {
    name: 'new_leads',
    hint: 'Within a minute, with type and state. Leads that come together share one mail.',
  },
  {
    name: 'lead_contacts',
    hint: 'Mails about new leads also name the person. Your mailbox then holds this data.',
  },
  { name: 'caps', hint: 'When an order has reached its cap or budget, once for each day, week or month.' },
  { name: 'weekly_digest', hint: 'On Mondays: leads, spending, returns and deliveries of the week before.' },
  { name: 'low_balance', hint: 'Once, each time that it falls below your threshold.' },
  { name: 'out_of_funds', hint: 'When the balance no longer pays for a lead.' },
  { name: 'payments', hint: 'When money came, failed to come, or went back.' },
  { name: 'returns', hint: 'When a return of yours is decided.' },
  { name: 'exports', hint: 'When a long export is ready. It goes to the person who asked for it.' },
]
const LINKS_AND_CODES =
  'Links and codes that are asked for: to sign in, to choose a password, to change your address.'
/** The mails of a person who works in the account of others. */
const OF_A_PERSON = ['Your role in the account changes, or you are removed from it.', LINKS_AND_CODES]
const ALWAYS = [
  'A webhook of yours keeps failing, works again, or was switched off.',
  'Your account is approved, an administrator paused an order, or your auto-recharge failed or was switched off.',
  LINKS_AND_CODES,
]

/**
 * Chooses which optional mails the client gets. It waits until the choices have loaded, so that nothing below
 * them moves.
 */
export function NoticesPanel() {
  const { isNone } = useBalance()
  // Mails about an account go to its owner, who alone chooses them.
  const isOwner = useMemberMay('account') !== false
  const account = useQuery({ ...accountQuery, enabled: isOwner && !isNone })
  if (isOwner && !isNone && account.isPending) return <CardSkeleton />
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      {isOwner && !isNone && <Choices />}
      <Card title="Always sent by mail">
        {!isOwner && (
          <p className="mb-3 text-sm">
            Mails about leads, orders, webhooks and money go to the owner of the account. You get these:
          </p>
        )}
        <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
          {(isOwner ? ALWAYS : OF_A_PERSON).map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
        <p className="mt-3 text-sm text-muted">
          {isOwner
            ? 'They cannot be switched off, because without them leads could wait, or you could lose your account, without your knowledge.'
            : 'They cannot be switched off, because without them you could lose your access without your knowledge.'}
        </p>
      </Card>
    </div>
  )
}

function Choices() {
  const account = useQuery(accountQuery)
  const change = useChangeAccount()
  if (account.data === undefined) {
    if (!account.isError) return <CardSkeleton />
    return (
      <LoadFailure
        title="Your choices could not be loaded."
        error={account.error}
        onRetry={() => void account.refetch()}
      />
    )
  }
  const { notices, version } = account.data
  // A choice shows at once and is undone if it is refused.
  const shown = (name: keyof AccountNotices) =>
    (change.isPending ? change.variables.notices?.[name] : undefined) ?? notices[name]
  const save = (wished: Omit<ClientAccountChange, 'version'>) =>
    change.mutate(
      { version, ...wished },
      {
        onSuccess: ({ result }) =>
          result === 'saved'
            ? toast.success('Your choice is saved')
            : toast.error('It was changed elsewhere in the meantime. Please choose again.'),
        onError: (error) => toast.error(errorSentence(error)),
      },
    )
  const choices = CHOICES.filter(({ name }) => name !== 'lead_contacts' || shown('new_leads'))
  return (
    <>
      <Card title="Sent by mail">
        <div className="flex flex-col gap-4">
          {choices.map(({ name, hint }) => (
            <Switch
              key={name}
              label={NOTICE_LABELS[name]}
              hint={hint}
              asks
              checked={shown(name)}
              disabled={change.isPending}
              className={name === 'lead_contacts' ? 'pl-4' : ''}
              onCheckedChange={(on) => save({ notices: { [name]: on } })}
            />
          ))}
        </div>
      </Card>
      <QuietHours
        account={account.data}
        disabled={change.isPending}
        onChange={(hours) => save({ quiet_hours: hours })}
      />
    </>
  )
}
