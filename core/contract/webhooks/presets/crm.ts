import { PLAIN, type Preset } from './preset.ts'

const field = (name: string, value: string) => ({ objectTypeId: '0-1', name, value })

export const hubspot: Preset = {
  ...PLAIN,
  id: 'hubspot',
  name: 'HubSpot',
  note: 'Submits a HubSpot form. The names must be names of fields on that form. Leave out fields that your leads do not always have. A form that asks for consent also needs legalConsentOptions, which this template does not have.',
  endpoint_url: 'https://api.hsforms.com/submissions/v3/integration/submit/<<portalId>>/<<formGuid>>',
  payload_template: {
    fields: [
      field('firstname', '{{first_name}}'),
      field('lastname', '{{last_name}}'),
      field('email', '{{email}}'),
      field('phone', '{{phone}}'),
      field('state', '{{state}}'),
    ],
    context: { pageUri: '{{consent_url}}', ipAddress: '{{consent_ip}}' },
  },
  missing_values: 'omit',
  constants: [
    { name: 'portalId', label: 'Portal id', hint: 'The number of your HubSpot account.' },
    { name: 'formGuid', label: 'Form id', hint: 'The form’s GUID, from its embed code.' },
  ],
}

export const salesforce: Preset = {
  ...PLAIN,
  id: 'salesforce',
  name: 'Salesforce',
  note: 'Web-to-Lead. Salesforce accepts 500 leads a day. It also answers 200 to leads that it then drops, so compare the counts. Its reCAPTCHA must be off. A lead needs a last name.',
  payload_type: 'FORM',
  endpoint_url: 'https://webto.salesforce.com/servlet/servlet.WebToLead?encoding=UTF-8',
  payload_template: {
    oid: '<<oid>>',
    retURL: '<<retURL>>',
    first_name: '{{first_name}}',
    last_name: '{{last_name}}',
    company: 'Individual',
    email: '{{email}}',
    phone: '{{phone}}',
    city: '{{city}}',
    state: '{{state}}',
    zip: '{{zip}}',
    lead_source: '{{source}}',
  },
  constants: [
    { name: 'oid', label: 'Organization id (oid)', hint: 'The hidden field oid of your Web-to-Lead form.' },
    { name: 'retURL', label: 'Return URL (retURL)', hint: 'Any page of yours; the form asks for one.' },
  ],
}

export const zoho: Preset = {
  ...PLAIN,
  id: 'zoho',
  name: 'Zoho CRM',
  note: 'A Web-to-Lead form. Outside the United States the host is different: take it from your form’s code. Zoho may answer with a redirect to the return URL. That counts as failed, and the lead is sent again, so test first. A lead needs a last name.',
  payload_type: 'FORM',
  endpoint_url: 'https://crm.zoho.com/crm/WebToLeadForm',
  payload_template: {
    xnQsjsdp: '<<xnQsjsdp>>',
    xmIwtLD: '<<xmIwtLD>>',
    actionType: 'TGVhZHM=',
    returnURL: '<<returnURL>>',
    'First Name': '{{first_name}}',
    'Last Name': '{{last_name}}',
    Email: '{{email}}',
    Phone: '{{phone}}',
    City: '{{city}}',
    State: '{{state}}',
    'Lead Source': '{{source}}',
  },
  constants: [
    { name: 'xnQsjsdp', label: 'xnQsjsdp', hint: 'A hidden field of your form’s code.' },
    { name: 'xmIwtLD', label: 'xmIwtLD', hint: 'A hidden field of your form’s code.' },
    { name: 'returnURL', label: 'Return URL', hint: 'Copy it from your form’s code.' },
  ],
}

export const ringy: Preset = {
  ...PLAIN,
  id: 'ringy',
  name: 'Ringy',
  note: 'Ringy answers 400 to a wrong format, 401 to wrong keys and 508 once the day’s limit is reached. It is not certain in which format it reads a birthday: check the first lead.',
  endpoint_url: 'https://app.ringy.com/api/public/leads/new-lead',
  payload_template: {
    sid: '<<sid>>',
    authToken: '<<authToken>>',
    phone_number: '{{phone_10}}',
    first_name: '{{first_name}}',
    last_name: '{{last_name}}',
    email: '{{email}}',
    street_address: '{{address1}}',
    city: '{{city}}',
    state: '{{state}}',
    zip_code: '{{zip}}',
    birthday: '{{dob_us}}',
    lead_source: '{{source}}',
    cost_of_lead: '{{price}}',
    notes: '{{comments}}',
  },
  missing_values: 'omit',
  capture_path: 'vendorResponseId',
  constants: [
    { name: 'sid', label: 'SID (sid)', hint: 'From the lead vendor’s page in Ringy.' },
    { name: 'authToken', label: 'Auth token (authToken)', hint: 'From the lead vendor’s page in Ringy.' },
  ],
}
