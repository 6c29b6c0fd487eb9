import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useFormContext, useWatch } from 'react-hook-form'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Disclosure } from '#web/ui/action/Disclosure.tsx'
import { mailAddressesQuery } from '#web/webhooks/queries/webhook-configs.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/** Offers the addresses to which leads can be mailed; nothing where there is no mail server. */
export function SendByMail() {
  const { setValue, setFocus } = useFormContext<WebhookFormValues>()
  const url = useWatch<WebhookFormValues, 'endpoint_url'>({ name: 'endpoint_url' })
  const addresses = useQuery(mailAddressesQuery).data?.mail_addresses ?? []
  const isMail = isMailUrl(url.trim())
  const choose = (address: string) => {
    setValue('endpoint_url', `mailto:${address}`, { shouldDirty: true, shouldValidate: true })
    // The pressed button leaves with the list.
    setFocus('endpoint_url')
  }
  return (
    <div>
      <div role="status">
        {isMail && (
          <p className="text-xs text-muted">
            Each lead is sent as a mail with the fields of Payload Template. HTTP Method, Payload Format and
            Custom Headers do not apply.
          </p>
        )}
      </div>
      {!isMail && addresses.length > 0 && (
        <Disclosure title={<span className="font-normal text-muted">No CRM? Send leads by email</span>}>
          <div className="flex max-h-48 flex-col items-start gap-2 overflow-y-auto">
            <p className="text-xs text-muted">
              Leads go to confirmed addresses of people of your account. Invite others under Settings.
            </p>
            {addresses.map((address) => (
              <Button
                key={address}
                size="sm"
                icon={<Mail aria-hidden className="size-4" />}
                className="max-w-full"
                onClick={() => choose(address)}
              >
                <span className="truncate">{address}</span>
              </Button>
            ))}
          </div>
        </Disclosure>
      )}
    </div>
  )
}
