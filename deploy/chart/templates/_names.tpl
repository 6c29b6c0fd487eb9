{{- define "leadwire.labels" -}}
app.kubernetes.io/name: leadwire
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "leadwire.selector" -}}
app.kubernetes.io/name: leadwire
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "leadwire.secret" -}}
{{ .Values.secrets.existing | default .Release.Name }}
{{- end }}

{{- define "leadwire.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ end }}
{{- end }}

{{- define "leadwire.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- if .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml .Values.image.pullSecrets | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  # Another user could not use the compiled code in the image.
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: 256Mi
  - name: data
    {{- if .Values.files.existingClaim }}
    persistentVolumeClaim:
      claimName: {{ .Values.files.existingClaim }}
    {{- else }}
    emptyDir:
      sizeLimit: 4Gi
    {{- end }}
{{- end }}

{{- define "leadwire.container" -}}
image: {{ include "leadwire.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop:
      - ALL
env:
  - name: NODE_ENV
    value: production
  - name: HOST
    value: 0.0.0.0
  - name: PORT
    value: "3000"
  - name: METRICS_PORT
    value: "9464"
  - name: DATA_DIR
    value: /data
  - name: PUBLIC_URL
    value: {{ .Values.publicUrl | quote }}
  - name: API_URL
    value: {{ .Values.apiUrl | quote }}
  - name: TRUST_PROXY
    value: {{ .Values.trustProxy | quote }}
  {{- range $name, $value := .Values.env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
envFrom:
  - secretRef:
      name: {{ include "leadwire.secret" . }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /data
{{- end }}

{{- define "leadwire.scaling" -}}
# After an outage the age is many times the target, and would ask for every worker at once.
scaleUp:
  policies:
    - type: Pods
      value: 2
      periodSeconds: 60
scaleDown:
  stabilizationWindowSeconds: 600
  policies:
    - type: Pods
      value: 1
      periodSeconds: 120
{{- end }}
