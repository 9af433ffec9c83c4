{{- define "fedsearch.name" -}}
{{- if contains "fedsearch" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-fedsearch{{ end }}
{{- end }}

{{- define "fedsearch.labels" -}}
app.kubernetes.io/name: fedsearch
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "fedsearch.selector" -}}
app.kubernetes.io/name: fedsearch
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "fedsearch.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "fedsearch.claim" -}}
{{ .Values.persistence.existingClaim | default (include "fedsearch.name" .) }}
{{- end }}

{{/* What every pod is allowed: nothing but to write its data and /tmp. */}}
{{- define "fedsearch.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "fedsearch.container" -}}
image: {{ include "fedsearch.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  - name: FEDSEARCH_SERVER__LEAVING
    value: {{ .Values.leaving | quote }}
  {{- if .Values.secret }}
  - name: FEDSEARCH_SECRETS_DIR
    value: /run/secrets/fedsearch
  {{- end }}
volumeMounts:
  - { name: data, mountPath: /var/lib/fedsearch }
  - { name: settings, mountPath: /etc/fedsearch, readOnly: true }
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.secret }}
  - { name: secret, mountPath: /run/secrets/fedsearch, readOnly: true }
  {{- end }}
{{- end }}

{{- define "fedsearch.volumes" -}}
- name: data
  persistentVolumeClaim: { claimName: {{ include "fedsearch.claim" . }} }
- name: settings
  configMap:
    name: {{ include "fedsearch.name" . }}
    items:
      - { key: fedsearch.toml, path: fedsearch.toml }
      {{- range $name, $_ := .Values.sources }}
      - { key: source-{{ $name }}.toml, path: sources.d/{{ $name }}.toml }
      {{- end }}
- name: tmp
  emptyDir: {}
{{- if .Values.secret }}
- name: secret
  secret: { secretName: {{ .Values.secret }}, defaultMode: 0440 }
{{- end }}
{{- end }}
