import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { FormProvider, useForm, type FieldErrors } from 'react-hook-form'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { writeWebhookBody, type EditableWebhookConfig } from '../queries/webhook-config-text.ts'
import { useSaveWebhook } from '../queries/webhook-configs.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { AdvancedOptions } from './AdvancedOptions.tsx'
import { BasicFields } from './basics/BasicFields.tsx'
import { Constants } from './preset/Constants.tsx'
import { findOvertaken } from './find-overtaken.ts'
import { FitOptions } from './fits/FitOptions.tsx'
import { SendingOptions } from './sending/SendingOptions.tsx'
import { MoreEvents } from './events/MoreEvents.tsx'
import { MoreOptions } from './MoreOptions.tsx'
import { StartFrom } from './preset/StartFrom.tsx'
import { useFaultFocus } from './use-fault-focus.ts'
import { useSaveKeys } from './use-save-keys.ts'
import { AsymmetricSignature } from './receiver/AsymmetricSignature.tsx'
import { SigningSecret } from './receiver/SigningSecret.tsx'
import { UnlessByMail } from './by-mail/UnlessByMail.tsx'
import {
  editWebhookValues,
  INVALID_JSON_MESSAGE,
  refusalOfField,
  webhookFormSchema,
  writeWebhookFields,
  type WebhookFormValues,
} from './webhook-form-values.ts'

export interface FormStatus {
  dirty: boolean
  saving: boolean
  /** True if a form that can be submitted is on screen. */
  ready: boolean
  /** True if the new configuration exists; the form then changes it. */
  made: boolean
}

export const IDLE: FormStatus = { dirty: false, saving: false, ready: false, made: false }

export interface WebhookFormProps {
  formId: string
  configId: string | null
  /** The initial values; the form is mounted anew each time the dialog opens. */
  values: WebhookFormValues
  onStatus: (status: FormStatus) => void
  onSaved: (config: WebhookConfig) => void
}

export function WebhookForm({ formId, configId, values, onStatus, onSaved }: WebhookFormProps) {
  const form = useForm({
    resolver: zodResolver(webhookFormSchema),
    defaultValues: values,
    shouldFocusError: false,
  })
  const element = useRef<HTMLFormElement>(null)
  useSaveKeys(element)
  const save = useSaveWebhook()
  const [made, setMade] = useState<WebhookConfig | null>(null)
  /** The stored values that the user has seen; saving over them loses nothing unseen. */
  const [known, setKnown] = useState(values)
  const [overtaken, setOvertaken] = useState<readonly string[]>([])
  const id = made?.id ?? configId
  const { isDirty, errors, submitCount } = form.formState
  useFaultFocus(element, submitCount)
  const saving = save.isPending
  const isMade = made !== null

  // A layout effect, so that Escape right after the last letter still asks before it drops the text.
  useLayoutEffect(() => {
    onStatus({ dirty: isDirty, saving, ready: true, made: isMade })
    return () => onStatus(IDLE)
  }, [isDirty, saving, isMade, onStatus])

  const submit = async (checked: WebhookFormValues) => {
    if (save.isPending) return
    try {
      const jsonText = writeWebhookBody(writeWebhookFields(checked))
      const isOvertakenBy = (now: EditableWebhookConfig) =>
        made === null && findOvertaken(known, editWebhookValues(now), checked).length > 0
      setOvertaken([])
      const saved = await save.mutateAsync({ id, jsonText, isOvertakenBy })
      if (saved.outcome === 'overtaken') {
        const now = editWebhookValues(saved.now)
        setOvertaken(findOvertaken(known, now, checked))
        setKnown(now)
        form.clearErrors('root')
        return
      }
      const { outcome, config } = saved
      if (outcome === 'made_before') {
        // From now on an empty field removes the value that the earlier try stored.
        form.setValue('is_saved', true)
        setMade(config)
        return
      }
      toast.success(id === null ? 'Webhook created successfully' : 'Webhook updated successfully')
      onSaved(config)
    } catch (error) {
      toast.error('Failed to save webhook configuration')
      showRefusal(error)
    }
  }
  const showRefusal = (error: unknown) => {
    const faults = error instanceof ApiError ? error.errors : []
    const refusals = faults.map(refusalOfField).filter((refusal) => refusal !== undefined)
    // Only the first message of each field is shown.
    for (const { field, message } of refusals.toReversed()) form.setError(field, { type: 'server', message })
    if (refusals.length === 0) form.setError('root', { type: 'server', message: errorSentence(error) })
  }

  return (
    <FormProvider {...form}>
      <form
        ref={element}
        id={formId}
        noValidate
        className="flex flex-col gap-6"
        onSubmit={(event) => void form.handleSubmit(submit, warnOfInvalidJson)(event)}
      >
        {errors.root?.message !== undefined && <NotSaved reason={errors.root.message} />}
        {made !== null && errors.root === undefined && <MadeBefore name={made.webhook_name} />}
        {overtaken.length > 0 && errors.root === undefined && <Overtaken fields={overtaken} />}
        <StartFrom defaults={values} />
        <BasicFields />
        <Constants />
        <div className="divide-y divide-line overflow-clip rounded-lg border border-line">
          <AdvancedOptions configId={id} />
          <FitOptions />
          <SendingOptions />
          <MoreEvents configId={id} />
          <MoreOptions />
          <UnlessByMail>
            <AsymmetricSignature configId={id} />
            {id !== null && <SigningSecret configId={id} />}
          </UnlessByMail>
        </div>
      </form>
    </FormProvider>
  )
}

function MadeBefore({ name }: { name: string }) {
  return (
    <InSight>
      <Banner tone="waiting" urgent title={`“${name}” was created by your earlier try`}>
        Its answer was lost on the way. What you have changed since is not saved yet: Update saves it.
      </Banner>
    </InSight>
  )
}

function Overtaken({ fields }: { fields: readonly string[] }) {
  return (
    <InSight>
      <Banner tone="waiting" urgent title="This webhook was changed while you edited it">
        <p>Saved meanwhile: {fields.join(', ')}. Nothing of yours is saved yet.</p>
        <p>
          Update saves everything in this form and overwrites those changes. To see the saved values, cancel
          and edit the webhook again.
        </p>
      </Banner>
    </InSight>
  )
}

function NotSaved({ reason }: { reason: string }) {
  return (
    <InSight>
      <Banner tone="failure" urgent title="The configuration was not saved">
        {reason}
      </Banner>
    </InSight>
  )
}

/** The submit button is far below, so the content scrolls into view. */
function InSight({ children }: { children: ReactNode }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={notice} className="scroll-mt-5">
      {children}
    </div>
  )
}

/** Shows the sentence of docs/product.md §5 if either JSON text is invalid; nothing is sent. */
function warnOfInvalidJson({ custom_headers, payload_template }: FieldErrors<WebhookFormValues>) {
  if (custom_headers !== undefined || payload_template !== undefined) toast.error(INVALID_JSON_MESSAGE)
}
