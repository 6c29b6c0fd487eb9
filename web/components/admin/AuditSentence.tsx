import type { AdminAuditRow } from '#core/contract/accounts/audit.ts'

const ACTORS: Record<AdminAuditRow['actor'], string> = {
  user: 'The person',
  admin: 'An administrator',
  service: 'A program',
  nobody: 'Somebody',
}

/** "Ada Example approved the client", and the account below it. */
export function AuditSentence({ row, colleague }: { row: AdminAuditRow; colleague?: string | undefined }) {
  const { actor, actor_name: name, actor_id: by, sentence, user_name: account, user_id: about } = row
  const isAboutOther = about !== null && about !== by
  return (
    <span className="block max-w-80 min-w-48 font-normal cards:min-w-0 cards:wrap-anywhere">
      <span className="font-medium">{colleague ?? name ?? ACTORS[actor]}</span> {sentence}
      {isAboutOther && (
        <span className="block truncate text-xs text-muted">{account ?? 'An account that is gone'}</span>
      )}
    </span>
  )
}
