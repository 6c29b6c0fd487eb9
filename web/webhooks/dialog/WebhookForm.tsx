import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { FormProvider, useForm, type FieldErrors } from 'react-hook-form'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { ApiError, errorSentence } from '#web/api/errors.ts'
import { writeWebhookBody } from '../queries/webhook-config-text.ts'
import { useSaveWebhook } from '../queries/webhook-configs.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { AdvancedOptions } from './AdvancedOptions.tsx'
import { BasicFields } from './BasicFields.tsx'
import { SigningSecret } from './access/SigningSecret.tsx'
import {
  INVALID_JSON_MESSAGE,
  refusalOfField,
  webhookFormSchema,
  writeWebhookFields,
  type WebhookFormValues,
} from './webhook-form-values.ts'

export interface FormStatus {
  dirty: boolean
  saving: boolean
  /** There is a form on screen that can be sent. */
  ready: boolean
  /** What was to be created is there: the form changes it from now on. */
  made: boolean
}

export const IDLE: FormStatus = { dirty: false, saving: false, ready: false, made: false }

export interface WebhookFormProps {
  formId: string
  configId: string | null
  /** What the form begins with; it is mounted anew each time the dialog opens. */
  values: WebhookFormValues
  onStatus: (status: FormStatus) => void
  onSaved: () => void
}

export function WebhookForm({ formId, configId, values, onStatus, onSaved }: WebhookFormProps) {
  const form = useForm({ resolver: zodResolver(webhookFormSchema), defaultValues: values })
  const save = useSaveWebhook()
  const [made, setMade] = useState<WebhookConfig | null>(null)
  const id = made?.id ?? configId
  const { isDirty, errors } = form.formState
  const saving = save.isPending
  const isMade = made !== null

  useEffect(() => {
    onStatus({ dirty: isDirty, saving, ready: true, made: isMade })
    return () => onStatus(IDLE)
  }, [isDirty, saving, isMade, onStatus])

  const submit = async (checked: WebhookFormValues) => {
    try {
      const jsonText = writeWebhookBody(writeWebhookFields(checked))
      const { outcome, config } = await save.mutateAsync({ id, jsonText })
      if (outcome === 'made_before') {
        // What is empty in the form takes away from now on what that try stored.
        form.setValue('is_saved', true)
        setMade(config)
        return
      }
      toast.success(id === null ? 'Webhook created successfully' : 'Webhook updated successfully')
      onSaved()
    } catch (error) {
      toast.error('Failed to save webhook configuration')
      showRefusal(error)
    }
  }
  const showRefusal = (error: unknown) => {
    const faults = error instanceof ApiError ? error.errors : []
    const refusals = faults.map(refusalOfField).filter((refusal) => refusal !== undefined)
    // Backwards, so that the first field has the focus in the end.
    for (const { field, message } of refusals.toReversed()) {
      form.setError(field, { type: 'server', message }, { shouldFocus: true })
    }
    if (refusals.length === 0) form.setError('root', { type: 'server', message: errorSentence(error) })
  }

  return (
    <FormProvider {...form}>
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-6"
        onSubmit={(event) => void form.handleSubmit(submit, warnOfInvalidJson)(event)}
      >
        {errors.root?.message !== undefined && <NotSaved reason={errors.root.message} />}
        {made !== null && errors.root === undefined && <MadeBefore name={made.webhook_name} />}
        <BasicFields />
        <AdvancedOptions configId={id} defaults={values} />
      </form>
      {id !== null && <SigningSecret configId={id} />}
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

function NotSaved({ reason }: { reason: string }) {
  return (
    <InSight>
      <Banner tone="failure" urgent title="The configuration was not saved">
        {reason}
      </Banner>
    </InSight>
  )
}

/** Comes after a press far below, so it brings itself into sight. */
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

/** docs/product.md §5: the sentence for either text, and nothing is sent. */
function warnOfInvalidJson({ custom_headers, payload_template }: FieldErrors<WebhookFormValues>) {
  if (custom_headers !== undefined || payload_template !== undefined) toast.error(INVALID_JSON_MESSAGE)
}
