import { useMutation } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router-dom'
import { unsubscribedSchema } from '#core/contract/market/client-account.ts'
import { withQuery, apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { errorSentence } from '#web/api/errors.ts'
import { AuthFrame } from '#web/app/AuthFrame.tsx'
import { settingsPath } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { NOTICE_LABELS } from './notice-labels.ts'

/** The page of a mail's link "Unsubscribe". Only its button ends the mails, because programs open links by themselves. */
export function UnsubscribePage() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const end = useMutation({
    mutationFn: () =>
      request(withQuery(apiPath('unsubscribe'), { token }), unsubscribedSchema, { method: 'POST' }),
  })
  const settings = (
    <Link to={settingsPath('notifications')} className={buttonClass('secondary')}>
      Choose mails in the settings
    </Link>
  )
  if (end.data !== undefined)
    return (
      <AuthFrame title="You are unsubscribed">
        <p role="status" className="text-sm">
          No more mails of the kind “{NOTICE_LABELS[end.data.notice]}” are sent to you.
        </p>
        {settings}
      </AuthFrame>
    )
  return (
    <AuthFrame title="Unsubscribe" lead="Ends the mails of the kind that you opened this page from.">
      {end.isError && (
        <Banner tone="failure" urgent>
          {errorSentence(end.error)}
        </Banner>
      )}
      <Button variant="primary" asks busy={end.isPending} onClick={() => end.mutate()}>
        Unsubscribe
      </Button>
      {settings}
    </AuthFrame>
  )
}
