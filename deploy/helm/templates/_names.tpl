{{- define "waybridge.labels" -}}
app.kubernetes.io/name: waybridge
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
