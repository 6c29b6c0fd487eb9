import { useWatch } from 'react-hook-form'
import type { MissingValues } from '#core/contract/webhooks/answer-rules.ts'
import type { PayloadType, RequestMethod } from '#core/contract/webhooks/webhook-config.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import {
  fillJsonConstants,
  fillUrlConstants,
  type ConstantValues,
} from '#core/domain/webhooks/template/constants.ts'
import { findHeadersFault } from '../check-json-object.ts'
import { readFits } from '../fits/fit-values.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import type { FitsAsked } from './describe-fit.ts'
import type { Address } from './preview-address.ts'

/** The settings beside the template that a preview depends on. */
export interface PreviewedForm {
  method: RequestMethod
  /** a mail has the fields of a form */
  payloadType: PayloadType
  missingValues: MissingValues
  fits: FitsAsked
  constants: ConstantValues
  /** null while the headers are no JSON */
  address: Address | null
  isMail: boolean
}

/** Reads them from the form whenever they change. */
export function usePreviewedForm(): PreviewedForm {
  const [url, method, payloadType, missingValues] = useWatch<
    WebhookFormValues,
    ['endpoint_url', 'request_method', 'payload_type', 'missing_values']
  >({ name: ['endpoint_url', 'request_method', 'payload_type', 'missing_values'] })
  const [conditions, sending_hours, constants, headers] = useWatch<
    WebhookFormValues,
    ['conditions', 'sending_hours', 'constants', 'custom_headers']
  >({ name: ['conditions', 'sending_hours', 'constants', 'custom_headers'] })
  const isMail = isMailUrl(url.trim())
  return {
    method,
    payloadType: isMail ? 'FORM' : payloadType,
    missingValues,
    fits: readFits({ conditions, sending_hours }),
    constants,
    address: readAddress(url, headers, constants),
    isMail,
  }
}

/** The URL and headers as they are sent, with constants. */
function readAddress(url: string, headers: string, constants: ConstantValues): Address | null {
  if (findHeadersFault(headers) !== null) return null
  return {
    url: fillUrlConstants(url.trim(), constants),
    headers: JSON.parse(fillJsonConstants(headers, constants)) as Record<string, string>,
  }
}
